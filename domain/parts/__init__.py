"""Parts that several games use: tricks, rankings, auctions, exchanges and counts."""
