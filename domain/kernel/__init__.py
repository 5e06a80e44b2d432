"""What every game is built from. The kernel never asks which game it is."""
