"""What the service prints when it is up."""

from service.config import Settings
from service.run.start_message import start_message


def test_the_banner_names_the_addresses_of_the_pages() -> None:
    words = start_message("http://127.0.0.1:8123", "http://127.0.0.1:8124", Settings()).split()
    for page in ("/", "/replay/TABLE", "/docs"):
        assert f"http://127.0.0.1:8123{page}" in words
