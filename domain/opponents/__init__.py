"""A player for any game: what a seat may believe of hidden cards, and the act that it chooses.

Nothing here knows a game by name, and nothing reads what the seat cannot know.
"""

VERSION = 2
"""The version of the opponents' code that records name: another one may choose other acts."""
