"""A camera referee for Dutch Blitz."""

__version__ = "0.1.0"
