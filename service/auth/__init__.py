"""Who calls: players' names, and bearer tokens, of which only the SHA-256 is kept, with what they may be used for."""
