"""A client of codille, a service for fourteen card games.

`Client` speaks to a service, `Table` to one of its tables, and `Offer` is what a player may do there. Everything that
the service sends is plain JSON, with static types in `codille_client.models` and, made on demand for one game, in
`codille_client.games`. The same without `async` is in `codille_client.sync`.
"""

from codille_client.client import Client
from codille_client.offers import Offer
from codille_client.problems import (
    Altered,
    CodilleError,
    Forged,
    NotYourTurn,
    Problem,
    RuleViolation,
    Stale,
    Unreachable,
)
from codille_client.table import Moment, Table
from codille_client.webhooks import verify_webhook
from codille_client.words import Words

__all__ = [
    "Altered",
    "Client",
    "CodilleError",
    "Forged",
    "Moment",
    "NotYourTurn",
    "Offer",
    "Problem",
    "RuleViolation",
    "Stale",
]
__all__ += ["Table", "Unreachable", "Words", "verify_webhook"]
