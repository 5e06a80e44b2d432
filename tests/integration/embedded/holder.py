"""Holds the embedded servers of a directory for a test: says where they are, and ends with its input."""

import json
import sys
from pathlib import Path

from deploy.embedded import EmbeddedError, embedded

try:
    with embedded(Path(sys.argv[1]), share="share" in sys.argv) as servers:
        print(json.dumps(servers), flush=True)
        sys.stdin.read()
except EmbeddedError as error:
    sys.exit(str(error))
