"""Logs and metrics for the operator."""
