"""What starts the service's surroundings."""
