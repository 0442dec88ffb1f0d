"""Runs many short jobs, every seventh damaged: no job may be lost, and the batch itself may not grow.

Usage: batch_many.py TESSERA FOLDER RUNS JOBS DONE MISSING
"""

import collections
import json
import os
import shutil
import resource
import subprocess
import sys
import threading
import time

TESSERA, FOLDER = sys.argv[1:3]
RUNS, JOBS, DONE, MISSING = (int(word) for word in sys.argv[3:7])
OPTIONS = ["--size", "64x48", "--fps", "5", "--progress", "none"]
# Random differences between two moments of a batch.
SLACK = {"files": 12, "threads": 12, "zombies": 4, "kilobytes": 24 << 10}


def fail(sentence):
    sys.exit(f"test-batch: {sentence}")


def limit_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


def look(process):
    """Returns the batch's current resources, or None once it has ended."""
    try:
        folder = f"/proc/{process.pid}"
        with open(f"{folder}/status") as file:
            status = dict(line.split(":", 1) for line in file)
        with open(f"{folder}/task/{process.pid}/children") as file:
            children = file.read().split()
        states = []
        for child in children:
            try:
                with open(f"/proc/{child}/stat") as file:
                    states.append(file.read().rsplit(")", 1)[1].split()[0])
            except OSError:
                pass
        return {
            "files": len(os.listdir(f"{folder}/fd")),
            "threads": int(status["Threads"]),
            "kilobytes": int(status["VmRSS"].split()[0]),
            "zombies": states.count("Z"),
            "children": len(children),
        }
    except (OSError, KeyError, ValueError):
        return None


def watch(process, samples):
    while process.poll() is None:
        sample = look(process)
        if sample:
            samples.append(sample)
        time.sleep(0.1)


def run(jobs, count, slots, name):
    """Runs a list and returns the exit code and the result lines by job ID."""
    jobs_path, results = f"{FOLDER}/{name}.jsonl", f"{FOLDER}/{name}-results.jsonl"
    with open(jobs_path, "w") as file:
        file.writelines(json.dumps(job) + "\n" for job in jobs)
    process = subprocess.Popen(
        [TESSERA, "batch", jobs_path, "--results", results, "--jobs", str(slots)] + OPTIONS,
        preexec_fn=limit_files, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    samples = []
    watcher = threading.Thread(target=watch, args=(process, samples))
    watcher.start()
    messages = process.stderr.read()
    code = process.wait()
    watcher.join()
    lines = collections.defaultdict(list)
    with open(results) as file:
        for line in file:
            line = json.loads(line)
            lines[line["id"]].append(line)
    if len(lines) != count:
        fail(f"{name}: {len(lines)} of {count} jobs have a result, exit {code}: {messages[-2000:]}")
    # A batch that only looks for finished outputs holds no pipes and no threads for workers: moments
    # are compared in which workers run.
    busy = [sample for sample in samples if sample["children"] > 0] or samples
    third = max(1, len(busy) // 3)
    for key, slack in SLACK.items():
        first, last = (max(s[key] for s in part) for part in (busy[:third], busy[-third:]))
        print(f"test-batch:   {key}: {first} at most in the first third, {last} in the last")
        if last > first + slack:
            fail(f"{name}: its {key} grow, from {first} to {last}.")
    return code, lines


def main():
    calls, clip = f"{FOLDER}/many", f"{FOLDER}/many.webm"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1",
         "-c:v", "libvpx", "-deadline", "realtime", clip], check=True)
    for number in range(JOBS):
        os.makedirs(f"{calls}/{number}")
        path = f"{calls}/{number}/ada.webm"
        if number % 7 == 6:
            with open(path, "w") as file:
                file.write("no recording")
        else:
            os.link(clip, path)
    for round_number in range(RUNS):
        slots, out = (2, 4)[round_number % 2], f"{FOLDER}/out-{round_number}"
        print(f"test-batch: run {round_number + 1} of {RUNS}, {JOBS} jobs, --jobs {slots}", flush=True)
        jobs = [{"id": str(number), "input": f"{calls}/{number}", "output": f"{out}/{number}.mp4"}
                for number in range(JOBS)]
        code, lines = run(jobs, JOBS, slots, f"run-{round_number}")
        lost = []
        for number in range(JOBS):
            line = lines[str(number)][-1]
            isDamaged = number % 7 == 6
            isRight = line["exit"] == (1 if isDamaged else 0) and len(lines[str(number)]) == 1
            if isDamaged:
                isRight = isRight and f"/{number}" in line.get("error", "")
            if not isRight:
                lost.append(line)
        if lost or code != (4 if JOBS > 6 else 0):
            fail(f"{len(lost)} of {JOBS} jobs are lost, exit {code}: {lost[:3]}")

    print(f"test-batch: {DONE + MISSING} jobs, of which {DONE} are done", flush=True)
    # A job's digest does not contain output names, so a done job is done under other names.
    # Jobs that are not done are spread evenly, so that the batch does the same all the time.
    out, many = f"{FOLDER}/out-many", range(DONE + MISSING)
    done = [number for number in many if number * MISSING // len(many) == (number - 1) * MISSING // len(many)]
    jobs = [{"id": str(number), "input": f"{calls}/0", "output": f"{out}/{number}.mp4"}
            for number in many]
    os.makedirs(out)
    assert len(done) == DONE
    run([jobs[done[0]]], 1, 1, "first")
    for number in done[1:]:
        shutil.copyfile(f"{out}/{done[0]}.mp4", f"{out}/{number}.mp4")
    code, lines = run(jobs, len(jobs), 2, "many")
    begun = sum(line[-1]["attempts"] > 0 for line in lines.values())
    if code != 0 or begun != MISSING or any(line[-1]["exit"] != 0 for line in lines.values()):
        fail(f"{begun} of {MISSING} jobs were begun, exit {code}.")
    print("test-batch: no job is lost, and the batch does not grow")


main()
