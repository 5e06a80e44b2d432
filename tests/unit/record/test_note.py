"""Signed notes and checkpoints, byte for byte as C2SP lays them out."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.record.note import BadKey, VerifierKey, checkpoint_text, note, parse_checkpoint, parse_key, parse_note
from tests.support.for_each import for_each

# The example key and note of the signed-note specification and of Go's golang.org/x/mod/sumdb/note.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SPOKEN = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


def test_a_known_note_of_others_is_read_and_its_signature_holds() -> None:
    key = parse_key(PETER)
    assert str(key) == PETER
    text, (signature,) = parse_note(SPOKEN)
    assert (signature.name, signature.id) == (key.name, key.id)
    Ed25519PublicKey.from_public_bytes(key.public).verify(signature.signature, text.encode())
    assert note(text, [(key, signature.signature)]) == SPOKEN


def test_what_is_signed_here_is_read_again() -> None:
    private = Ed25519PrivateKey.generate()
    key = VerifierKey("codille/log", private.public_key().public_bytes_raw())
    text = checkpoint_text(7, bytes(range(32)))
    signed = note(text, [(key, private.sign(text.encode()))])
    assert text.splitlines()[:2] == ["codille/log", "7"]
    assert parse_checkpoint(signed) == (7, bytes(range(32)))
    assert parse_note(signed)[0] == text


def test_signatures_of_any_kind_of_key_are_read() -> None:
    cosigned = SPOKEN + "— witness.example/w " + base64.b64encode(bytes(76)).decode() + "\n"
    text, (spoken, other) = parse_note(cosigned)
    assert (text, [spoken]) == parse_note(SPOKEN)
    assert (other.name, other.id, len(other.signature)) == ("witness.example/w", bytes(4), 72)


@for_each(
    "text",
    [
        "",
        "no signature\n",
        "no signature\n\n",
        SPOKEN[:-1],
        SPOKEN.replace("— ", "- "),
        SPOKEN + "— anna xw==\n",
        SPOKEN.replace("nAM=", "nAN="),
        SPOKEN.replace("PeterNeumann ", "Peter Neumann "),
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (of any message)
        parse_note(text)


@for_each(
    "text",
    [
        "",
        "a+b",
        PETER.replace("c74f20a3", "c74f20a4"),
        PETER.replace("+AR", "+AB"),
        PETER[:-4],
        "+" + PETER,
        "x" + PETER,
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(BadKey):
        parse_key(text)


@for_each("size", ["-1", "01", "1.0", "", "1 ", "99999999999999999"])
def test_what_is_no_size_is_refused(size: str) -> None:
    good = note(checkpoint_text(1, bytes(32)), [])
    assert parse_checkpoint(good) == (1, bytes(32))
    with pytest.raises(ValueError, match="three lines"):
        parse_checkpoint(good.replace("\n1\n", f"\n{size}\n"))


def test_a_head_of_another_log_is_refused() -> None:
    with pytest.raises(ValueError, match="codille/log"):
        parse_checkpoint(note(checkpoint_text(1, bytes(32)), []).replace("codille/log", "other"))
    with pytest.raises(ValueError, match="32 bytes"):
        parse_checkpoint(note(checkpoint_text(1, bytes(31)), []))
