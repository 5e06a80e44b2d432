"""Attacks on a running service of this machine: `python -m tests.lab.attack URL`, or `make attack URL=…`.

Each attack tries what a stranger might, and counts how often the service held. Nothing is attacked that does not listen
on this machine.
"""
