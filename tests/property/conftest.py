"""How Hypothesis runs here: no time limits, since the machine may be busy with other tests."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "codille",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
settings.load_profile("codille")
