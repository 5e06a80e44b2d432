"""Running the service.

Nothing is imported here: whoever needs an error of it, or its address, need not wait for all of the service.
"""
