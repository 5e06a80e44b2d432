"""What games share: tricks, rankings, auctions, exchanges and counts. A game uses the parts it needs."""
