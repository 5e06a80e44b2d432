"""A table's life around any game: opening, seats, start, deals, ledger totals, finish.

Written once for all games; the play of a deal is the game's part.
"""
