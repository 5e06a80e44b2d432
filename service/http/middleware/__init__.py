"""Plain ASGI middleware around the application, outermost first: observing, limiting, authenticating."""
