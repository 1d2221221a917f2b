"""From pixels to detections: sources of frames, the bird's-eye view, the networks, arms over the table."""

import os

# OpenCV reads these once, when it is imported: Windows' Media Foundation takes a minute to open a camera with
# hardware transforms, and a picture that claims billions of pixels must be refused before it is decoded.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 27))
