"""The tournament: levels of opponents play duplicate deals against each other in each game, on all cores."""
