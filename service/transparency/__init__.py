"""Signed heads of the log, and proofs that an event stands in it and that it was only ever appended to."""

from service.transparency.heads import Checkpoint, Heads, Key
from service.transparency.keys import Keyring, NoKey, SigningKey
from service.transparency.signer import Signer
from service.transparency.tree import LogAltered

__all__ = ["Checkpoint", "Heads", "Key", "Keyring", "LogAltered", "NoKey", "Signer", "SigningKey"]
