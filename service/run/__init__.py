"""Running the service.

Nothing is imported here: a program that needs an error or the service's URL does not wait for all of the service.
"""
