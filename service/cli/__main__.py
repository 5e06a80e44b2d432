"""`python -m service.cli` is `codille`, where that is not installed."""

from service.cli import main

main()
