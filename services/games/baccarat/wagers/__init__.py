"""The wagers of Baccarat, one file each; the catalogue finds every file here that has `WAGERS`."""
