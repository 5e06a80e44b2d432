"""Many games while everything fails, and a checker that says whether anything was lost, doubled or out of order.

`players` play over the interface and write into `memory` what they ask and what they are answered. `plan` draws which
`faults` strike when, from a seed and counted in acts. When all games are over and all faults are healed, `checker`
reads the log and holds the memory against it. It imports nothing of the service: it folds with the domain.

`make fault MINUTES=60 SEED=1` runs it at length; `test_chaos.py` for a moment.
"""
