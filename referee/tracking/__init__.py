"""Detections to moves: settled piles, changes of piles, who played. Numpy only; no pixels, no cv2."""
