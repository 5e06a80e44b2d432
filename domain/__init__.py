"""The pure domain: rules, events and folds. No I/O, clock, randomness or logging.

Each part imports only those after it:

- `registry`: the games on offer.
- `games`: one folder a game.
- `audit`: recomputes a record and compares.
- `record`: the event as it is stored, hashed and exported.
- `table`: a table's life around any game.
- `parts`: used by several games: auctions, exchanges, tricks.
- `kernel`: the building blocks of every game.
- `fair`: seeds, shuffles and commitments.
- `cards`, `seats`: the vocabulary of all these parts.
"""
