"""Bearer tokens, of which only the SHA-256 is kept, and what they may be used for."""
