"""Who calls: bearer tokens, kept by their SHA-256, and what they may be used for."""
