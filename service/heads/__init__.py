"""Signed heads of the log, and proofs that an event stands in it and that it was only ever appended to."""

from service.heads.heads import Checkpoint, Heads, Key
from service.heads.keys import Keyring, NoKey, SigningKey
from service.heads.signer import Signer
from service.heads.tree import LogAltered

__all__ = ["Checkpoint", "Heads", "Key", "Keyring", "LogAltered", "NoKey", "Signer", "SigningKey"]
