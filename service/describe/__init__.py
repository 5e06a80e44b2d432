"""Describes games as clients see them: their schemas, words and the meanings of fields. It reads no log."""
