"""A client of the platform's services: typed, asynchronous, resumable.

Imports nothing of the platform but `casino`.
"""
