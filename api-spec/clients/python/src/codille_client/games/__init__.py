"""Types of single games, made on demand: `python -m codille_client.types GAME`."""
