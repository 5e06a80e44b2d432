"""The building blocks of every game. The kernel never asks which game it is."""
