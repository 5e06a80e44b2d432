"""Found by every Python process that has this folder on its path, before the program begins.

It is how tests reach into the processes of a service, which itself holds nothing for them.
"""

from tests.lab.chaos import wrapped

wrapped.install()
