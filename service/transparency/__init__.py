"""Checkpoints of the log, and proofs that it contains an event and that it was only appended to."""

from service.transparency.checkpoints import AnnouncedKey, Checkpoint, Transparency
from service.transparency.keys import Keyring, NoKey, SigningKey
from service.transparency.signer import RequestSigner, Signer
from service.transparency.tree import LogAltered

__all__ = [
    "AnnouncedKey",
    "Checkpoint",
    "Keyring",
    "LogAltered",
    "NoKey",
    "RequestSigner",
    "Signer",
    "SigningKey",
    "Transparency",
]
