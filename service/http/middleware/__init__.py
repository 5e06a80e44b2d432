"""Plain ASGI around the application, from outside in: observing, limiting, authenticating."""
