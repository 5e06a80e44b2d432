"""The pure domain: rules, events and folds. No I/O, clock, randomness or logging."""
