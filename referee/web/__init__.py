"""The scoreboard: pages, JSON and server-sent events over Flask. It asks through ports, never vision or tracking."""
