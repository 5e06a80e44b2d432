"""The interface over HTTP: a request prepared, one operation called, its answer or its problem document."""
