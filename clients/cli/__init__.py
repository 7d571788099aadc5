"""The command line: `casino`.

The names of its commands and their JSON are a contract that users' scripts depend on.
"""
