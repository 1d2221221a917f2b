"""A synthetic table: card art, scenes, bots that play, films of whole rounds with exact truth."""
