"""The tree of RFC 6962: known answers of the reference implementation, another library, and its laws."""

from collections.abc import Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree, verify_inclusion

from domain.record import merkle
from tests.support.for_each import for_each
from tests.support.merkle_trees import nodes_over

# The entries and answers that the tests of Certificate Transparency's reference implementation use.
ENTRIES = [
    bytes.fromhex(entry)
    for entry in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
SIZES = st.integers(1, 70)


def consistent(first: int, first_root: bytes, second: int, second_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the proof shows that the second tree begins with the first, read as RFC 6962, 2.1.2, makes it."""
    rest = list(path)

    def roots(old: int, new: int, *, whole: bool) -> tuple[bytes, bytes]:
        """The roots of a part in both trees; `whole`: the first tree is all in it, so that its root is known."""
        if old == new:
            node = first_root if whole else rest.pop()
            return node, node
        left, sibling = 1 << (new - 1).bit_length() - 1, rest.pop()
        if old <= left:
            one, other = roots(old, left, whole=whole)
            return one, merkle.node_hash(other, sibling)
        one, other = roots(old - left, new - left, whole=False)
        return merkle.node_hash(sibling, one), merkle.node_hash(sibling, other)

    try:
        return 0 < first <= second and roots(first, second, whole=True) == (first_root, second_root) and not rest
    except IndexError:
        return False


def numbered(size: int) -> list[bytes]:
    return [sha256(str(number).encode()).digest() for number in range(size)]


@for_each("size, root", list(enumerate(ROOTS, 1)))
def test_roots_are_those_of_the_reference(size: int, root: str) -> None:
    assert merkle.root_hash(nodes_over(ENTRIES), size).hex() == root


def test_the_tree_of_nothing_has_a_root_too() -> None:
    assert merkle.root_hash(nodes_over([]), 0) == sha256(b"").digest()


def test_an_inclusion_proof_is_that_of_the_reference() -> None:
    assert [node.hex()[:16] for node in merkle.inclusion_proof(nodes_over(ENTRIES), 0, 8)] == [
        "96a296d224f285c6", "5f083f0a1a33ca07", "6b47aaf29ee3c2af",
    ]  # fmt: skip
    assert merkle.inclusion_proof(nodes_over(ENTRIES), 0, 1) == []


@pytest.mark.parametrize(
    ("first", "second", "proof"),
    [
        (1, 1, []),
        (6, 8, ["0ebc5d3437fbe2db", "ca854ea128ed050b", "d37ee418976dd957"]),
        (2, 5, ["5f083f0a1a33ca07", "bc1a0643b12e4d2d"]),
    ],
)
def test_consistency_proofs_are_those_of_the_reference(first: int, second: int, proof: list[str]) -> None:
    assert [node.hex()[:16] for node in merkle.consistency_proof(nodes_over(ENTRIES), first, second)] == proof


@given(SIZES, st.data())
def test_another_library_agrees_on_roots_and_accepts_our_inclusion_proofs(size: int, data: st.DataObject) -> None:
    entries = numbered(size)
    theirs = InmemoryTree(algorithm="sha256")
    for entry in entries:
        theirs.append_entry(entry)
    root = merkle.root_hash(nodes_over(entries), size)
    assert theirs.get_root(size) == root
    index = data.draw(st.integers(0, size - 1))
    proof = theirs.prove_inclusion(index + 1, size)
    leaf = merkle.leaf_hash(entries[index])
    proof.path = [leaf, *merkle.inclusion_proof(nodes_over(entries), index, size)]
    verify_inclusion(leaf, root, proof)


@given(SIZES, st.data())
def test_an_inclusion_proof_leads_to_the_root_and_nothing_else_does(size: int, data: st.DataObject) -> None:
    entries = numbered(size)
    index = data.draw(st.integers(0, size - 1))
    path = merkle.inclusion_proof(nodes_over(entries), index, size)
    root, leaf = merkle.root_hash(nodes_over(entries), size), merkle.leaf_hash(entries[index])
    assert merkle.root_from_inclusion(leaf, index, size, path) == root
    assert merkle.root_from_inclusion(merkle.leaf_hash(b"another"), index, size, path) != root
    for wrong in (path[:-1], [*path, root]):
        if wrong != path:
            with pytest.raises(ValueError, match="proof is too"):
                merkle.root_from_inclusion(leaf, index, size, wrong)
    if path:
        place = data.draw(st.integers(0, len(path) - 1))
        changed = [*path[:place], sha256(path[place]).digest(), *path[place + 1 :]]
        assert merkle.root_from_inclusion(leaf, index, size, changed) != root


@given(SIZES, st.data())
def test_a_consistency_proof_holds_for_its_two_trees_alone(second: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, second))
    entries = numbered(second)
    path = merkle.consistency_proof(nodes_over(entries), first, second)
    roots = [merkle.root_hash(nodes_over(entries), size) for size in (first, second)]
    assert consistent(first, roots[0], second, roots[1], path)
    other = nodes_over([b"rewritten", *entries[1:]])
    assert not consistent(first, merkle.root_hash(other, first), second, roots[1], path)
    assert not consistent(first, roots[0], second, merkle.root_hash(other, second), path)
    assert not consistent(first, roots[0], second, roots[1], [*path, roots[0]])
    assert not consistent(second + 1, roots[0], second, roots[1], path)


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_there_is_no_proof_of_a_leaf_outside(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        merkle.inclusion_proof(nodes_over(numbered(3)), index, size)


@pytest.mark.parametrize(("first", "second"), [(0, 3), (3, 2), (-1, 1)])
def test_there_is_no_proof_of_a_shrinking_log(first: int, second: int) -> None:
    with pytest.raises(ValueError, match="no tree"):
        merkle.consistency_proof(nodes_over(numbered(3)), first, second)


@given(st.integers(0, 300), st.integers(0, 4))
def test_a_growing_tree_has_the_root_of_the_whole_tree(size: int, level: int) -> None:
    entries = numbered(size)
    nodes = nodes_over(entries)
    tree = merkle.GrowingTree()
    for index in range(size >> level):
        tree.add_subtree(level, nodes(level, index))
    for entry in entries[tree.size :]:
        tree.add(entry)
    assert (tree.size, tree.root()) == (size, merkle.root_hash(nodes, size))


@given(st.integers(0, 8))
def test_a_complete_subtree_has_the_root_of_its_leaves(level: int) -> None:
    entries = numbered(1 << level)
    nodes = nodes_over(entries)
    leaves = [nodes(0, index) for index in range(len(entries))]
    assert merkle.subtree_hash(leaves) == merkle.root_hash(nodes, len(entries))
