"""Writes calls of synthetic voices, detects the speakers with Tessera, and compares the result with the truth."""

import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import numpy
import parselmouth
import pympi
from pyannote.core import Annotation, Segment, Timeline
from pyannote.metrics.diarization import DiarizationErrorRate

RATE = 16_000
VOICES = ["kal16", "awb", "slt", "rms", "kal"]
NAMES = ["Ada", "Ben", "Chloé", "Dóra K.", "Eshan"]
SENTENCES = [
    "Good morning, everybody. Shall we begin with the numbers of last month?",
    "They are better than we thought, and that is mostly because of the new office.",
    "I agree.",
    "Could you share your screen, so that all of us see the plan?",
    "The team in Lisbon has already found a place to work from, which opens in September.",
    "Not before the summer, I am afraid.",
    "Thank you, that is much clearer now.",
    "Let us come back to the budget, because two of the items on the list are still open.",
    "Yes, of course.",
    "We measured it twice, and both times it took less than an hour.",
]
BRIDGED = 0.3  # seconds of silence that do not end a stretch of speech, as in NIST's evaluations
FLOOR_NOISE = 10 ** (-66 / 20)
LIMITS = {"none": 0.10, "0.25 s": 0.03}
FORMATS = ["rttm", "TextGrid", "eaf", "csv", "tsv", "json", "vtt"]


def spoken(folder, voice, text):
    """Returns the samples of a sentence, from its first to its last sound."""
    (folder / "words.txt").write_text(text)
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"flite=textfile=words.txt:voice={voice}", "-ar", str(RATE),
         "-ac", "1", "-f", "f32le", "-"], check=True, capture_output=True, cwd=folder).stdout
    samples = numpy.frombuffer(raw, numpy.float32)
    samples = samples * (0.1 / max(1e-6, float(numpy.sqrt(numpy.mean(samples**2)))))
    runs = stretches(samples)
    return samples[int(runs[0][0] * RATE):int(runs[-1][1] * RATE)]


def stretches(samples):
    """Returns the stretches with sound: steps of 10 ms within 36 dB of the loudest, with short pauses bridged."""
    step = RATE // 100
    count = len(samples) // step
    levels = numpy.sqrt(numpy.mean(samples[:count * step].reshape(count, step) ** 2, axis=1) + 1e-12)
    runs = []
    for index in numpy.flatnonzero(levels > levels.max() * 10 ** (-36 / 20)):
        if runs and index / 100 - runs[-1][1] < BRIDGED:
            runs[-1][1] = (index + 1) / 100
        else:
            runs.append([index / 100, (index + 1) / 100])
    return runs


class Call:
    """A call whose participants have separate files, and the true turns."""

    def __init__(self, name, folder, people, turns):
        """`turns` are a person, a sentence, and the seconds since the end of the previous turn, negative for an overlap."""
        self.name, self.folder = name, folder / name.replace(" ", "-")
        self.folder.mkdir()
        placed, end = [], 1.0
        for person, text, gap in turns:
            samples = spoken(self.folder, VOICES[person], text)
            start = max(0.2, end + gap)
            placed.append((person, start, samples))
            end = max(end, start + len(samples) / RATE)
        self.duration = end + 1.5
        self.truth = Annotation(uri=name)
        noise = numpy.random.default_rng(7)
        participants = []
        for person in range(people):
            track = noise.normal(0, FLOOR_NOISE, int(self.duration * RATE)).astype(numpy.float32)
            for speaker, start, samples in placed:
                if speaker != person:
                    continue
                first = int(start * RATE)
                track[first:first + len(samples)] += samples[:len(track) - first]
                for number, (from_, to) in enumerate(stretches(samples)):
                    self.truth[Segment(start + from_, start + to), f"{start}-{number}"] = NAMES[person]
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", "-", "-c:a", "libopus",
                 "-b:a", "32k", str(self.folder / f"{person}.ogg")], input=track.tobytes(), check=True)
            participants.append(
                {"id": f"p{person}", "name": NAMES[person],
                 "tracks": [{"file": f"{person}.ogg", "kind": "microphone"}]})
        self.truth = self.truth.support(1e-6)
        (self.folder / "words.txt").unlink()
        (self.folder / "session.json").write_text(json.dumps({"version": 1, "participants": participants}))
        lines = [{"start": start, "end": start + len(samples) / RATE, "speaker": NAMES[person], "text": text}
                 for (person, text, _), (_, start, samples) in zip(turns, placed)]
        (self.folder / "transcript.json").write_text(json.dumps({"segments": lines}))

    def overlap(self):
        """Returns the share of speech in which several people speak."""
        return self.truth.get_overlap().duration() / self.truth.get_timeline().support().duration()

    def write(self, program, label):
        """Writes all formats with `program`, and returns their paths."""
        out = self.folder / label
        out.mkdir()
        paths = {}
        for ending in FORMATS:
            paths[ending] = out / f"turns.{ending}"
            result = subprocess.run(
                [program, "timeline", str(self.folder), "-o", str(out / "timeline.svg"), "--overwrite", "--transcript",
                 str(self.folder / "transcript.json"), "--speakers", str(paths[ending])], capture_output=True, text=True)
            if result.returncode:
                sys.exit(f"check-diarization: {result.stderr}")
        return paths


def calls(folder):
    chance = random.Random(1)
    five = [(number % 5 if number < 5 else chance.randrange(5), chance.choice(SENTENCES), chance.uniform(0.2, 1.2))
            for number in range(30)]
    four = [(number % 4, SENTENCES[number % len(SENTENCES)], -1.1 if number % 2 else 0.3) for number in range(28)]
    nine = [(number % 3, SENTENCES[(3 * number + 1) % len(SENTENCES)], -1.5 if number == 5 else 4.0)
            for number in range(9)]
    return [Call("five people", folder, 5, five), Call("four, overlapping", folder, 4, four),
            Call("nine turns", folder, 3, nine)]


# Readers, which return turns as (person, start, end).


def rttm(path):
    found = []
    for line in path.read_text().splitlines():
        words = line.split()
        assert len(words) == 10 and words[0] == "SPEAKER", line
        found.append((words[7].replace("_", " "), float(words[3]), float(words[3]) + float(words[4])))
    return found


def textgrid(path, own):
    grid = parselmouth.read(str(path))
    count = parselmouth.praat.call(grid, "Get number of tiers")
    tiers = {}
    for tier in range(1, int(count) + 1):
        name = parselmouth.praat.call(grid, "Get tier name", tier)
        tiers[name] = []
        for number in range(1, int(parselmouth.praat.call(grid, "Get number of intervals", tier)) + 1):
            label = parselmouth.praat.call(grid, "Get label of interval", tier, number)
            if label:
                tiers[name].append(
                    (label, parselmouth.praat.call(grid, "Get start time of interval", tier, number),
                     parselmouth.praat.call(grid, "Get end time of interval", tier, number)))
    return [row for name in own if name in tiers for row in tiers[name]], tiers


def elan(path, own):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file = pympi.Elan.Eaf(str(path))
    tiers = {name: [(row[2], row[0] / 1000, row[1] / 1000) for row in file.get_annotation_data_for_tier(name)]
             for name in file.get_tier_names()}
    slots = [value for _, value in sorted(file.timeslots.items(), key=lambda item: int(item[0][2:]))]
    return [row for name in own if name in tiers for row in tiers[name]], tiers, slots


def table(path, mark):
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file, delimiter=mark)]


def rows(found):
    return [(row["speaker"], float(row["start"]), float(row["end"])) for row in found if row.get("kind") == "speech"]


def alike(one, other):
    """True if both have equal turns within a millisecond; blanks in RTTM's names are lost."""
    one, other = sorted(one, key=lambda row: row[:2]), sorted(other, key=lambda row: row[:2])
    return len(one) == len(other) and all(
        a[0].replace("_", " ") == b[0].replace("_", " ") and abs(a[1] - b[1]) < 0.002 and abs(a[2] - b[2]) < 0.002
        for a, b in zip(one, other))


def faults(call, paths):
    """Returns the faults of the files, a sentence each."""
    speech = rttm(paths["rttm"])
    own = [name for name in NAMES if name in {row[0] for row in speech}]
    found = []
    labelled, grid = textgrid(paths["TextGrid"], own)
    annotated, tiers, slots = elan(paths["eaf"], own)
    data = json.loads(paths["json"].read_text())
    for ending, read in [("TextGrid", labelled), ("eaf", annotated), ("csv", rows(table(paths["csv"], ","))),
                         ("tsv", rows(table(paths["tsv"], "\t"))), ("json", rows(data["turns"]))]:
        if not alike(read, speech):
            found.append(f"{ending} does not say what rttm says")
    for ending, names in [("TextGrid", grid), ("eaf", tiers)]:
        wanted = own + ["floor"] + [f"{name} words" for name in own]
        found += [f"{ending} has no tier {name}" for name in wanted if not names.get(name)]
    if slots != sorted(slots):
        found.append("time slots of eaf are not in order")
    if {line.split()[1] for line in paths["rttm"].read_text().splitlines()} != {call.folder.name}:
        found.append("rttm's file is not called as the recording")
    return found


def score(call, found, collar):
    """Returns diarization error, missed speech, false alarms and confusion. pyannote's collar is both sides together."""
    hypothesis = Annotation(uri=call.name)
    for number, (name, start, end) in enumerate(found):
        hypothesis[Segment(start, end), number] = name
    metric = DiarizationErrorRate(collar=2 * collar, skip_overlap=False)
    detail = metric(call.truth, hypothesis.support(1e-6), uem=Timeline([Segment(0, call.duration)]), detailed=True)
    total = detail["total"]
    return [detail["diarization error rate"], detail["missed detection"] / total, detail["false alarm"] / total,
            detail["confusion"] / total]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tessera", required=True)
    parser.add_argument("--against")
    parser.add_argument("--keep")
    options = parser.parse_args()
    programs = [("before", options.against)] if options.against else []
    programs.append(("now", options.tessera))
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'call':<20}{'overlap':>8}  {'program':<9}{'collar':<8}{'error':>8}{'miss':>8}{'alarm':>8}"
              + f"{'confused':>9}")
        for call in calls(folder):
            for label, program in programs:
                paths = call.write(str(pathlib.Path(program).resolve()), label)
                found = rttm(paths["rttm"])
                for collar, seconds in [("none", 0), ("0.25 s", 0.25)]:
                    error, *parts = score(call, found, seconds)
                    print(f"{call.name:<20}{call.overlap():>7.1%}  {label:<9}{collar:<8}{error:>8.1%}"
                          + f"{parts[0]:>8.1%}{parts[1]:>8.1%}{parts[2]:>9.1%}")
                    if label == "now" and error > LIMITS[collar]:
                        failures += 1
                        print(f"check-diarization: {call.name}: more than {LIMITS[collar]:.0%}", file=sys.stderr)
                if label == "now":
                    for fault in faults(call, paths):
                        failures += 1
                        print(f"check-diarization: {call.name}: {fault}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
