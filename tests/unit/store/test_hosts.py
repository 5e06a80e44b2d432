"""An address that names several hosts of Postgres is one address for each."""

from service.store.hosts import each_host
from tests.support.for_each import for_each


@for_each(
    "address, each",
    [
        ("postgresql://u:p@one/codille", ["postgresql://u:p@one/codille"]),
        ("postgresql:///c?host=/run/a&options=-c%20jit=off", ["postgresql:///c?host=/run/a&options=-c%20jit=off"]),
        ("postgresql:///c?host=/run/a,/b", ["postgresql:///c?host=%2Frun%2Fa", "postgresql:///c?host=%2Fb"]),
        ("postgresql://u:p@one:1,two:2/codille", ["postgresql://u:p@one:1/codille", "postgresql://u:p@two:2/codille"]),
        ("postgresql://u:p%40@one,[::1]:5433/c", ["postgresql://u:p%40@one/c", "postgresql://u:p%40@[::1]:5433/c"]),
        ("postgresql://one,two/c?ssl=require", ["postgresql://one/c?ssl=require", "postgresql://two/c?ssl=require"]),
        (
            "postgresql://u@/c?host=/run/a,/run/b",
            ["postgresql://u@/c?host=%2Frun%2Fa", "postgresql://u@/c?host=%2Frun%2Fb"],
        ),
        (
            "postgresql://u@/c?host=/a,/b&port=1,2",
            ["postgresql://u@/c?host=%2Fa&port=1", "postgresql://u@/c?host=%2Fb&port=2"],
        ),
        ("postgresql://u@/c?host=a,b&port=1", ["postgresql://u@/c?host=a&port=1", "postgresql://u@/c?host=b&port=1"]),
    ],
)
def test_each_host_has_an_address_of_its_own(address: str, each: list[str]) -> None:
    assert list(each_host(address)) == each
