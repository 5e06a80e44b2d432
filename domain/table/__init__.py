"""A table's life around any game: opening, seats, start, deals, ledger totals, finish.

Written once for all games; how a deal is played is the game's part.
"""
