"""The seeds of a table's deals: a hash chain, fixed when the table is opened."""

from hashlib import sha256

from msgspec import Struct

SEED_BYTES = 32


def seed_before(seed: bytes, steps: int = 1) -> bytes:
    """The seed `steps` before this one in the chain: seed(k - 1) = SHA-256(seed(k))."""
    for _ in range(steps):
        seed = sha256(seed).digest()
    return seed


class SeedChain(Struct, frozen=True, gc=False):
    """The known seeds of a table's deals: `seed` is the seed of `deal`, and all earlier seeds follow from it."""

    deal: int
    seed: bytes

    def at(self, deal: int) -> bytes:
        """The seed of this deal; seed(0) is the commitment. Raises ValueError if it is unknown."""
        if deal > self.deal:
            raise ValueError(f"the seed of deal {deal} is not known")
        return seed_before(self.seed, self.deal - deal)
