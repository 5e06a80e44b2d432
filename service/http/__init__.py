"""The interface over HTTP: prepares a request, calls one operation, and sends its response or a problem document."""
