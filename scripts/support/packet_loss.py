"""Renders speech with lost Opus packets, and compares it with the output of libopus's own decoder."""

import ctypes
import filecmp
import pathlib
import random
import subprocess
import sys

import numpy
import pesq

LENGTH = 960  # samples in a packet of 20 ms
TEXT = (
    "Good morning, everybody. Shall we begin with the numbers of last month? They are better than we thought. "
    "The new office opens in September, and the team in Lisbon has already found a place to work from. "
    "Could you share your screen, so that all of us see the plan? Thank you, that is much clearer now."
)
DISTANCE = 0.1  # by which PESQ may be below the reference


def run(*arguments):
    subprocess.run(arguments, check=True, capture_output=True)


def pages(data):
    """Returns the packets of an Ogg file with one stream."""
    packets, packet, page = [], b"", 0
    while page + 27 <= len(data):
        lacing = data[page + 27:page + 27 + data[page + 26]]
        start = page + 27 + len(lacing)
        for size in lacing:
            packet += data[start:start + size]
            start += size
            if size < 255:
                packets.append(packet)
                packet = b""
        page = start
    return packets


def crc(data):
    total = 0
    for byte in data:
        total ^= byte << 24
        for _ in range(8):
            total = (total << 1 ^ 0x04C11DB7 if total & 0x80000000 else total << 1) & 0xFFFFFFFF
    return total


def write(path, headers, packets, lost):
    """Writes the packets that were not lost, each on a separate page with its time."""
    kept = [(headers[0], 2, 0), (headers[1], 0, 0)]
    last = len(packets) - 1
    kept += [(packet, 4 if index == last else 0, (index + 1) * LENGTH)
             for index, packet in enumerate(packets) if index not in lost]
    data = b""
    for number, (packet, flags, granule) in enumerate(kept):
        lacing = b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255])
        page = bytearray(b"OggS\0" + bytes([flags]) + granule.to_bytes(8, "little") + b"\1\0\0\0"
                         + number.to_bytes(4, "little") + bytes(4) + bytes([len(lacing)]) + lacing + packet)
        page[22:26] = crc(page).to_bytes(4, "little")
        data += page
    path.write_bytes(data)


class Opus:
    """libopus's decoder, with every lost packet reported."""

    library = ctypes.CDLL("libopus.so.0")
    library.opus_decoder_create.restype = ctypes.c_void_p

    def __init__(self):
        self.decoder = ctypes.c_void_p(self.library.opus_decoder_create(48000, 1, None))
        self.block = (ctypes.c_float * LENGTH)()

    def decode(self, packet, repeated=False):
        count = self.library.opus_decode_float(
            self.decoder, packet, len(packet or b""), self.block, LENGTH, int(repeated))
        assert count == LENGTH, count
        return list(self.block)

    def all(self, packets, lost, corrects=True):
        samples, missing = [], 0
        for index, packet in enumerate(packets):
            if index in lost:
                missing += 1
                continue
            for number in range(missing):
                copies = corrects and number == missing - 1
                samples += self.decode(packet, True) if copies else self.decode(None)
            samples += self.decode(packet)
            missing = 0
        return numpy.array(samples, dtype=numpy.float32)


def losses(count, rate, bursts, chance):
    """Returns random losses, or bursts of three packets on average (Gilbert), never among the first or last ten."""
    lost, is_lost = set(), False
    for index in range(10, count - 10):
        if not bursts:
            is_lost = chance.random() < rate
        elif is_lost:
            is_lost = chance.random() < 2 / 3
        else:
            is_lost = chance.random() < rate / (1 - rate) / 3
        if is_lost:
            lost.add(index)
    return lost


def wave(path):
    data = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-f", "f32le", "-ar", "48000", "-af", "pan=mono|c0=c0", "-"],
        check=True, capture_output=True).stdout
    return numpy.frombuffer(data, dtype=numpy.float32)


def dips(samples, whole):
    """Returns how often per minute 10 ms of speech are 12 dB below the original."""
    frames = min(len(samples), len(whole)) // 480
    level = lambda x: 10 * numpy.log10(numpy.mean(x[:frames * 480].reshape(frames, 480) ** 2, axis=1) + 1e-9)
    said, heard = level(whole), level(samples)
    low = (said > -40) & (heard < said - 12)
    return int(numpy.sum(low[1:] & ~low[:-1])) / (frames / 6000)


def score(said, samples, folder):
    """Returns PESQ-WB of samples at 48 kHz."""
    def narrowed(x):
        data = subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "f32le", "-ar", "48000", "-ac", "1", "-i", "-", "-ar", "16000", "-f", "f32le", "-"],
            check=True, capture_output=True, input=x.astype(numpy.float32).tobytes()).stdout
        return numpy.frombuffer(data, dtype=numpy.float32)
    count = min(len(said), len(samples))
    return pesq.pesq(16000, narrowed(said[:count]), narrowed(samples[:count]), "wb")


def main(tessera, folder):
    folder, failures = pathlib.Path(folder), 0
    speech = folder / "speech.wav"
    text = folder / "text"
    text.write_text(TEXT)
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"flite=voice=slt:textfile={text}", "-ar", "48000", "-ac", "1", str(speech))
    said = wave(speech)
    print("loss         copies   lost   PESQ: silence  libopus  render    dips a minute: silence  libopus  render")
    for copies in (True, False):
        whole = folder / f"whole{int(copies)}.ogg"
        run("ffmpeg", "-v", "error", "-y", "-i", str(speech), "-c:a", "libopus", "-application", "voip", "-b:a", "32k",
            "-fec", str(int(copies)), "-packet_loss", "10" if copies else "0", str(whole))
        headers, packets = (lambda all: (all[:2], all[2:]))(pages(whole.read_bytes()))
        skip = int.from_bytes(headers[0][10:12], "little")
        for bursts in (False, True):
            for rate in (0.01, 0.05, 0.1, 0.2):
                lost = losses(len(packets), rate, bursts, random.Random(int(1000 * rate) + bursts))
                lossy, out = folder / "lossy.ogg", folder / "out.wav"
                write(lossy, headers, packets, lost)
                run(tessera, "render", str(lossy), "-o", str(out), "--overwrite", "--jobs", "1")
                for jobs in ("2", "5"):
                    other = folder / f"out{jobs}.wav"
                    run(tessera, "render", str(lossy), "-o", str(other), "--overwrite", "--jobs", jobs)
                    if not filecmp.cmp(out, other, shallow=False):
                        print(f"  {jobs} jobs make other bytes than one")
                        failures += 1
                reference = Opus().all(packets, lost)[skip:]
                silent = Opus().all([p for i, p in enumerate(packets) if i not in lost], set())
                cut = numpy.zeros(len(packets) * LENGTH, dtype=numpy.float32)
                kept = [i for i in range(len(packets)) if i not in lost]
                for place, index in enumerate(kept):
                    cut[index * LENGTH:(index + 1) * LENGTH] = silent[place * LENGTH:(place + 1) * LENGTH]
                all_samples = cut[skip:], reference, wave(out)
                scores = [score(said, samples, folder) for samples in all_samples]
                falls = [dips(samples, said) for samples in all_samples]
                bad = scores[2] < scores[1] - DISTANCE
                failures += bad
                print(f"{rate:4.0%} {'bursts' if bursts else 'random'}  {'yes' if copies else 'no ':7}  {len(lost):4}"
                      + "".join(f"  {x:11.2f}" if n == 0 else f"  {x:7.2f}" for n, x in enumerate(scores)) + "  " * 9
                      + "".join(f"  {x:7.0f}" for x in falls) + ("  BELOW" if bad else ""), flush=True)
    sys.exit(1 if failures else 0)


main(*sys.argv[1:])
