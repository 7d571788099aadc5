"""The general ledger: entries in double entry of documents, win, tax and meters, and what they are held against."""
