"""Starts what the service runs on, and describes its deployment."""
