"""Pixels to detections: sources of frames, the table plane, card detector, card reader, arms.

It must not know moves, rules or the web.
"""
