"""The shape of `deploy/machines`, run on one computer: each host is a namespace, with an address and files of its own.

`guide` reads the page that operators follow; `hosts` makes hosts and does there what the page says, with Debian's
programs and units, for which `inside/systemd.py` stands in. `run` plays games with the players of `tests/lab/chaos`
while `faults` strike one after the other, and has them judged by its checker. `make machines` does it all, as root.

What is left out of the page: installing packages, which are unpacked and laid over the computer's own, and copying.
"""
