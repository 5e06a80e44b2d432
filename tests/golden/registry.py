"""The games of which games are recorded; each has a module of its own here, and a folder under `games`."""

from collections.abc import Mapping

from tests.golden.crocodile import CROCODILE
from tests.golden.lhombre import LHOMBRE
from tests.golden.ombre import OMBRE
from tests.golden.playing import Golden
from tests.golden.solo import SOLO

GOLDEN: Mapping[str, Golden] = {golden.name: golden for golden in (CROCODILE, LHOMBRE, OMBRE, SOLO)}
