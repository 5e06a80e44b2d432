"""What all tests may ask for."""

pytest_plugins = ["tests.support.servers", "tests.support.service"]
