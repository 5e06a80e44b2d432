"""A table drawn as a picture in SVG, from a view alone."""
