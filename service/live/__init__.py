"""Live play: who waits for events is told of them as they are appended, by this process or another one."""
