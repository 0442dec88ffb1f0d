#!/usr/bin/env bash
# libopus in its hybrid mode, joined in the middle of a stream, does not arrive at what a decoder from the beginning puts out.
#
# Guess: after the 80 ms of pre-roll that RFC 7845 (section 4.6) asks for, or a second at most, both decoders put out the same
# samples, or ever more equal ones. Seen with PyAV 14.0.1: the difference falls within four packets to about a unit of 16 bits
# (83 to 91 dB below full scale) and stays there for all of the nine seconds that follow. In other streams both arrive at the
# same state by chance, after a second or after ten, and are equal to the last bit from then on. So no pre-roll makes a part
# of a recording bit-equal, and parts that are decoded apart need a cross-fade.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet av==14.0.1 numpy==2.1.3
"$folder/venv/bin/python" - <<'PY'
import sys
import av
import numpy

# Thirteen seconds of low-passed noise whose level comes and goes.
rate = 48000
random = numpy.random.default_rng(7)
time = numpy.arange(13 * rate) / rate
noise = numpy.convolve(random.standard_normal(time.size), numpy.hanning(17) / 8.5, "same")
sound = (0.08 * noise * (0.3 + 0.7 * abs(numpy.sin(3 * time)))).astype(numpy.float32)


def codec(mode):
    context = av.CodecContext.create("libopus", mode)
    context.sample_rate, context.layout, context.format = rate, "mono", "flt"
    return context


encoder = codec("w")
encoder.bit_rate = 24000
encoder.options = {"application": "voip"}
encoder.open()
size, packets = encoder.frame_size, []
for start in range(0, sound.size - size + 1, size):
    frame = av.AudioFrame.from_ndarray(sound[None, start:start + size].copy(), format="flt", layout="mono")
    frame.sample_rate, frame.pts = rate, start
    packets += encoder.encode(frame)
packets = [bytes(packet) for packet in packets if packet.size]
modes = {packet[0] >> 3 for packet in packets}


def decode(first):
    decoder = codec("r")
    decoder.options = {"request_sample_fmt": "flt"}
    blocks = []
    for payload in packets[first:]:
        for frame in decoder.decode(av.Packet(payload)):
            block = frame.to_ndarray().astype(float).reshape(-1)
            blocks.append(block / 32768 if frame.format.name.startswith("s16") else block)
    return blocks


print("libopus of PyAV", av.__version__, "configurations", sorted(modes))
whole = decode(0)
late, equal = [], []
for first in (100, 200, 300, 400):
    part = decode(first)
    power = [numpy.mean((a - b) ** 2) for a, b in zip(whole[len(whole) - len(part):], part)]
    level = [10 * numpy.log10(value + 1e-20) for value in power]
    arrived = next((number for number in range(len(level)) if max(level[number:]) < -190), None)
    print(f"joined at packet {first}: after 4 packets {level[4]:.0f} dB, 25: {level[25]:.0f} dB, 50: {level[50]:.0f} dB, "
          f"equal after {'never' if arrived is None else f'{arrived * size / rate:.1f} s'}")
    late.append(max(level[4:50]))
if max(late) < -100:
    sys.exit("changed: a second after it joined, every decoder puts out the same")
PY
