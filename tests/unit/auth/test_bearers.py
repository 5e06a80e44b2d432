"""For how long tokens are remembered."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from service.auth.bearers import Bearers
from service.store.accounts import Accounts, Bearer

TOKEN = bytes(32)


class OneToken:
    """Accounts that know one token, and count how often they are asked."""

    def __init__(self, expires_at: datetime | None) -> None:
        self.bearer = Bearer("player", ("play",), "token", expires_at)
        self.asked = 0

    async def present(self, hashes: Sequence[bytes], _at: datetime) -> Mapping[bytes, Bearer]:
        self.asked += 1
        return dict.fromkeys(hashes, self.bearer)


@pytest.mark.parametrize(
    ("left", "asked"), [(None, 1), (timedelta(days=1), 1), (timedelta(0), 2)], ids=["no end", "later", "now"]
)
async def test_a_token_is_not_remembered_beyond_its_end(left: timedelta | None, asked: int) -> None:
    accounts = OneToken(None if left is None else datetime.now(UTC) + left)
    bearers = Bearers(cast("Accounts", accounts), ttl_s=3600)
    assert await bearers.of(TOKEN) == accounts.bearer
    assert (bearers.remembered(TOKEN) is None) == (asked == 2)
    assert await bearers.of(TOKEN) == accounts.bearer
    assert accounts.asked == asked
