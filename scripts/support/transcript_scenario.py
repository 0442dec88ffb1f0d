"""The scenario of scripts/test-transcript: from stems to words to a transcript by person."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from call import LINES

TESSERA = sys.argv[1]


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


def recognized(path, folder):
    """Returns pocketsphinx's result for a file: start, end and text of each stretch."""
    plain = folder / "plain.wav"
    run("ffmpeg", "-v", "error", "-y", "-i", str(path), "-ar", "16000", "-ac", "1", str(plain))
    segments, words = [], []
    for line in run("pocketsphinx_continuous", "-infile", str(plain), "-time", "yes", "-logfn", "/dev/null").splitlines():
        found = re.fullmatch(r"(\S+) ([\d.]+) ([\d.]+) [\d.]+", line)
        if found and not found[1].startswith(("<", "[", "+")):
            words.append((float(found[2]), float(found[3]), re.sub(r"\(\d+\)$", "", found[1])))
        if found and found[1] == "</s>" or not found:
            segments += [words] if words else []
            words = []
    segments += [words] if words else []
    return [{"start": part[0][0], "end": part[-1][1], "text": " ".join(word for _, _, word in part)} for part in segments]


def letters(text):
    return set(re.findall(r"[a-z]+", text.lower()))


def main():
    with tempfile.TemporaryDirectory(prefix="tessera-words-") as name:
        folder = pathlib.Path(name)
        stems = folder / "stems"
        run(TESSERA, "render", "Fixtures/call", "-o", str(folder / "call.m4a"), "--stems", str(stems), "--progress", "none")
        options = []
        for stem in sorted(stems.glob("*.wav")):
            words = stem.with_suffix(".json")
            words.write_text(json.dumps({"segments": recognized(stem, folder)}))
            options += ["--transcript", f"{stem.stem}={words}:start=0"]
        report, text = folder / "report.json", folder / "call.txt"
        run(TESSERA, "render", "Fixtures/call", "-o", str(folder / "call.m4a"), *options, "--transcript-out", str(text),
            "--report", str(report), "--progress", "none", "--overwrite")
        said = json.loads(report.read_text())["call"]["lines"]
        print(text.read_text())
    wrong, right, heard = 0, 0, 0
    for line in LINES:
        if line.text.startswith(":"):
            continue
        # All people's words within three seconds.
        near = [one for one in said if one["span"][0] < line.start + 3 and one["span"][1] > line.start]
        wanted = letters(line.text)
        scores = {one["participant"]: 0 for one in near}
        for one in near:
            scores[one["participant"]] += len(wanted & letters(one["text"]))
        best = max(scores, key=scores.get, default=None)
        heard += scores.get(line.speaker, 0)
        right += len(wanted)
        if best != line.speaker:
            wrong += 1
            print(f"test-transcript: WRONG: {line.text!r} is {line.speaker}'s, not {best}'s", file=sys.stderr)
    print(f"test-transcript: {wrong} lines have a wrong speaker; {heard} of {right} words are recognized")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
