#!/usr/bin/env bash
# Color tags of decoded frames where the bitstream has none and the container says "full range, BT.709".
#
# Guess: a decoder leaves what its bitstream does not state to the container, whatever the codec.
# Seen with FFmpeg 7.0.2 (imageio-ffmpeg 0.6.0), two codecs, two behaviors:
#   H.264  without a VUI keeps the container's range and matrix
#   VP8    says "limited, BT.470 BG" in every frame, although its bitstream can carry neither
# So a frame's tags can only be weighed against the container's by codec.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet install imageio-ffmpeg==0.6.0
ffmpeg=$("$folder/venv/bin/python" -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
cd "$folder"

status=0
while read -r encoder expected; do
  "$ffmpeg" -v error -y -f lavfi -i color=gray:s=320x192:r=5:d=0.6 \
    -vf setparams=range=unknown:colorspace=unknown,format=yuv420p -c:v "$encoder" untagged.mkv < /dev/null 2> log || { cat log; exit 2; }
  "$ffmpeg" -v error -y -i untagged.mkv -c copy -color_range pc -colorspace bt709 tagged.mkv < /dev/null
  seen=$("$ffmpeg" -i tagged.mkv -vf showinfo -f null - 2>&1 < /dev/null \
    | grep -o 'color_range:[^ ]* color_space:[^ ]*' | sort -u)
  echo "$encoder: $seen"
  [[ $seen == "$expected" ]] || { echo "  changed; it was $expected"; status=1; }
done << 'TABLE'
libx264 color_range:pc color_space:bt709
libvpx color_range:tv color_space:bt470bg
TABLE
exit "$status"
