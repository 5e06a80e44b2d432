"""Live play: events reach readers as soon as any process appends them."""
