"""The Python kit is tested from its sources, completed with what is generated for it before tests are collected."""

from tests.support.kits import python_kit

python_kit()
