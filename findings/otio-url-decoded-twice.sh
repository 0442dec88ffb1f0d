#!/usr/bin/env bash
# The path of a file and its URL in OpenTimelineIO's url_utils, which finds the media of bundles.
#
# Guess: filepath_from_url returns the path that url_from_filepath was given.
# Seen with OpenTimelineIO 0.18.1: it decodes twice, so that a percent sign before two digits is lost, and everything from
# a `#` on is lost, too. Blanks and other names come back as they were, through a URL and as plain paths.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet install OpenTimelineIO==0.18.1
"$folder/venv/bin/python" - << 'PYTHON'
import sys
from opentimelineio.url_utils import filepath_from_url, url_from_filepath

status = 0
for path, there_and_back, plain in [
    ("/call/a b.mp4", "/call/a b.mp4", "/call/a b.mp4"),
    ("/call/a #1.mp4", "/call/a ", "/call/a "),
    ("/call/100%.mp4", "/call/100%.mp4", "/call/100%.mp4"),
    ("/call/a%41.mp4", "/call/aA.mp4", "/call/aA.mp4"),
]:
    seen = filepath_from_url(url_from_filepath(path)), filepath_from_url(path)
    print(f"{path}: {seen[0]} through a URL, {seen[1]} as it is")
    if seen != (there_and_back, plain):
        print(f"  changed; it was {there_and_back} and {plain}")
        status = 1
sys.exit(status)
PYTHON
