#!/usr/bin/env bash
# VP8 with alpha in WebM, some of whose packets are stored without alpha, as Chromium stores opaque pictures.
#
# Guess: a decoder that understands alpha returns every picture, and those without alpha opaque.
# Seen with FFmpeg 7.0.2 (imageio-ffmpeg 0.6.0): FFmpeg's own decoder, which ignores alpha, returns all 20 pictures;
# libvpx through FFmpeg, which is the one to use for alpha, returns 10, without an error: the pictures without alpha are gone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet install imageio-ffmpeg==0.6.0
ffmpeg=$("$folder/venv/bin/python" -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
cd "$folder"

"$ffmpeg" -v error -f lavfi -i testsrc=s=160x96:r=10:d=2 -vf format=yuva420p -c:v libvpx -auto-alt-ref 0 whole.webm < /dev/null
cat > leave_out.py <<'PYTHON'
# Turns the BlockAdditions (75 A1) of the second half of the blocks into Void elements (EC) of the same length.
data = bytearray(open("whole.webm", "rb").read())


def elements(start, end):
    def number(at, keeps_marker):
        length = 9 - data[at].bit_length()
        value = int.from_bytes(data[at:at + length], "big")
        return at + length, value if keeps_marker else value & (1 << 7 * length) - 1

    while start < end:
        content, name = number(start, True)
        content, size = number(content, False)
        yield name, start, content, content + size
        start = content + size


additions = []
segment = next(element for element in elements(0, len(data)) if element[0] == 0x18538067)
for cluster in [element for element in elements(*segment[2:]) if element[0] == 0x1F43B675]:
    for group in [element for element in elements(*cluster[2:]) if element[0] == 0xA0]:
        additions += [element for element in elements(*group[2:]) if element[0] == 0x75A1]
for _, start, content, end in additions[len(additions) // 2:]:
    length = content - start - 1
    data[start:content] = b"\xec" + (1 << 7 * length | end - content).to_bytes(length, "big")
open("partly.webm", "wb").write(data)
PYTHON
"$folder/venv/bin/python" leave_out.py

status=0
while read -r decoder expected; do
  seen=$("$ffmpeg" -v error -c:v "$decoder" -i partly.webm -fps_mode passthrough -f framecrc - 2> log < /dev/null | grep -vc '^#')
  echo "$decoder: $seen of 20 pictures, $(wc -l < log) lines of errors"
  [[ $seen == "$expected" && ! -s log ]] || { echo "  changed; it was $expected without an error"; status=1; }
done << 'TABLE'
vp8 20
libvpx 10
TABLE
exit "$status"
