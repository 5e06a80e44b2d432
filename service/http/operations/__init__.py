"""The interface's operations, one module a resource. Handlers translate; they decide nothing."""
