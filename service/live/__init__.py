"""Live play: events reach subscribers as soon as any process appends them."""
