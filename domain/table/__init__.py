"""A table's life around any game: opening, seats, start, deals, ledger totals, finish.

Written once; what a deal is, the game says.
"""
