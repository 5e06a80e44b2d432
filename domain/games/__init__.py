"""The games, one folder each, all of the same inner shape. `domain.registry` names them."""
