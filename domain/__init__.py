"""The pure domain: rules, events and folds. No I/O, clock, randomness or logging.

Each part imports only those after it:

- `registry`: the games that are offered.
- `games`: one folder a game.
- `audit`: recomputes a record and compares.
- `record`: the event as it is stored, hashed and exported.
- `table`: a table's life around any game.
- `parts`: what several games use: auctions, exchanges, tricks.
- `kernel`: what every game is built from.
- `fair`: seeds, shuffles and commitments.
- `cards`, `seats`: the words that all of these speak.
"""
