#!/usr/bin/env bash
# One channel of sound that is converted to two.
#
# Guess: both channels carry what the one carried, at its level, so that a mono voice is as loud as a stereo file of it.
# Seen with FFmpeg 7.0.2 (imageio-ffmpeg 0.6.0): libswresample spreads a centered channel at 1/√2 of its amplitude, so
# that both are 3.01 dB lower. MLT converts with it, and so do editors that are built on MLT.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet install imageio-ffmpeg==0.6.0
ffmpeg=$("$folder/venv/bin/python" -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
cd "$folder"

status=0
while read -r filter expected; do
  seen=$("$ffmpeg" -f lavfi -i sine=frequency=440:sample_rate=48000:duration=1 -af "$filter,volumedetect" -f null - 2>&1 < /dev/null \
    | grep -o 'max_volume: .* dB')
  echo "$filter: $seen"
  [[ $seen == "max_volume: $expected dB" ]] || { echo "  changed; it was $expected dB"; status=1; }
done << 'TABLE'
anull -18.1
aformat=channel_layouts=stereo -21.1
pan=stereo|c0=c0|c1=c0 -18.1
TABLE
exit "$status"
