"""Data sets, training and export of the networks: the only importer of ultralytics and torch."""
