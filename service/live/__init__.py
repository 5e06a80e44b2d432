"""Live play: events reach their readers as they are appended, by this process or another one."""
