"""The cluster scenario of scripts/test-storage: machines that share nothing but a bucket render the pieces
of a plan. Every task is started twice, and many are killed."""

import collections
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import storage_servers

TESSERA = sys.argv[1]
KILLS = int(os.environ.get("TESSERA_KILLS", "15"))
MACHINES = 8
SECONDS = 120
SECRET = "a-secret-that-is-in-no-file-at-all"
LOOK = ["--size", "160x90", "--fps", "5"]


class CountingProxy(http.server.BaseHTTPRequestHandler):
    """The network of one machine, which counts the bytes fetched from recordings."""

    protocol_version = "HTTP/1.1"
    target = None

    def log_message(self, *_):
        pass

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        upstream = http.client.HTTPConnection(*self.target, timeout=60)
        upstream.request(self.command, self.path, body, dict(self.headers.items()))
        reply = upstream.getresponse()
        content = reply.read()
        upstream.close()
        if self.path.startswith("/calls/") and self.command == "GET":
            with self.server.lock:
                self.server.fetched += len(content)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        length = reply.headers.get("Content-Length") or 0 if self.command == "HEAD" else len(content)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(content)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any


class Network(http.server.ThreadingHTTPServer):
    """The network of one machine; killed clients cause no messages."""

    daemon_threads = True

    def handle_error(self, *_):
        pass


class Machine:
    """A machine with a separate folder and network."""

    def __init__(self, folder, number, target):
        self.folder = folder / f"machine-{number}"
        self.folder.mkdir()
        handler = type("Handler", (CountingProxy,), {"target": target})
        self.proxy = Network(("127.0.0.1", 0), handler)
        self.proxy.lock = threading.Lock()
        self.proxy.fetched = 0
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()

    def start(self, *words, variables=None):
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder),
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{self.proxy.server_port}", **(variables or {})}
        return subprocess.Popen(
            [TESSERA, *map(str, words)], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)

    def run(self, *words, expect=0, variables=None):
        process = self.start(*words, variables=variables)
        said = process.communicate(timeout=300)[0]
        assert process.returncode == expect, f"{words}: exit {process.returncode}: {said}"
        assert SECRET not in said, f"{words} prints a secret: {said}"
        return said


def make_call(folder):
    call = folder / "call"
    call.mkdir()
    for number, name in enumerate(("ada", "ben", "cleo")):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=160x120:r=10:d={SECONDS - number}",
             "-f", "lavfi", "-i", f"sine={330 + 110 * number}:d={SECONDS - number}", "-c:v", "libvpx",
             "-deadline", "realtime", "-cpu-used", "8", "-b:v", "200k", "-g", "40", "-c:a", "libopus",
             str(call / f"{name}.webm")], check=True)
    return call


class Cluster:
    def __init__(self, folder, machines=MACHINES):
        folder.mkdir(exist_ok=True)
        self.server = storage_servers.start(("test", SECRET))
        self.s3 = self.server.client()
        for bucket in ("calls", "work"):
            self.s3.create_bucket(Bucket=bucket)
        self.machines = [Machine(folder, number, self.server.host) for number in range(machines)]
        self.numbers = random.Random(11)

    def keys(self, prefix=""):
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket="work", Prefix=prefix)
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def object(self, key):
        return self.s3.get_object(Bucket="work", Key=key)["Body"].read()

    def tasks(self, tasks, kills):
        """Runs all tasks on all machines at once, killing some; a killed task is run again."""
        waiting = queue.Queue()
        for task in tasks:
            waiting.put(task)
        lock = threading.Lock()
        left = {"kills": kills, "open": len(tasks), "killed": 0}
        failures = []

        def work(machine):
            while left["open"] > 0 and not failures:
                with contextlib.suppress(queue.Empty):
                    task = waiting.get(timeout=0.1)
                    process = machine.start(*task)
                    with lock:
                        is_victim = left["kills"] > 0 and self.numbers.random() < 0.6
                        delay = self.numbers.uniform(0.05, 1.5)
                    try:
                        said = process.communicate(timeout=delay if is_victim else 300)[0]
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.communicate()
                        with lock:
                            left["kills"] -= 1
                            left["killed"] += 1
                        waiting.put(task)
                        continue
                    if process.returncode != 0:
                        failures.append(f"{task}: exit {process.returncode}: {said}")
                    with lock:
                        left["open"] -= 1

        threads = [threading.Thread(target=work, args=(machine,)) for machine in self.machines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures[0]
        return left["killed"]


def check_cluster(cluster, folder, call):
    for file in sorted(call.iterdir()):
        cluster.s3.upload_file(str(file), "calls", f"in/{file.name}")
    first = cluster.machines[0]
    wanted = folder / "wanted.mp4"
    sound, small = folder / "wanted.m4a", folder / "small.mp4"
    web = folder / "web"
    others = ["--also", f"{small}:size=96x54,layout=speaker", "--also", str(sound), "--also",
              f"{web}/:hls=96p"]
    first.run("render", call, "-o", wanted, *LOOK, *others)
    plan = "s3://work/w/plan.json"
    others = ["--also", "s3://work/out/small.mp4:size=96x54,layout=speaker", "--also",
              "s3://work/out/call.m4a", "--also", "s3://work/out/web/:hls=96p"]
    said = first.run("plan", "s3://calls/in/", "-o", plan, *LOOK, *others)
    last = int(said.split("segments 0 to ")[1].split(",")[0])
    text = cluster.object("w/plan.json").decode() + cluster.object("w/plan.json.sources").decode()
    assert str(folder) not in text, "the plan names a folder of the machine that made it"
    assert SECRET not in text, "the plan holds a secret"
    said = first.run("stitch", plan, "-o", folder / "early.mp4", expect=1)
    assert "segment 0" in said and not (folder / "early.mp4").exists(), said

    tasks = [("segment", plan, "--index", number) for number in range(last + 1)]
    tasks = [task for task in tasks + [("soundtrack", plan)] for _ in range(2)]
    killed, rounds = 0, 0
    while rounds == 0 or killed < KILLS and KILLS > 30:
        for key in cluster.keys("w/pieces/"):
            cluster.s3.delete_object(Bucket="work", Key=key)
        killed, rounds = killed + cluster.tasks(tasks, KILLS - killed), rounds + 1
        pieces = cluster.keys("w/pieces/")
        assert len(pieces) == 3 * (last + 1) + 1, pieces
    cluster.machines[1].run("stitch", plan, "-o", "s3://work/out/call.mp4", "--report",
                            "s3://work/out/call.json")
    assert cluster.object("out/call.mp4") == wanted.read_bytes(), "other bytes than of one machine"
    assert cluster.object("out/small.mp4") == small.read_bytes(), "other bytes of the small one"
    assert cluster.object("out/call.m4a") == sound.read_bytes(), "other bytes of the sound"
    names = {str(path.relative_to(web)) for path in web.rglob("*") if path.is_file()}
    assert {key.removeprefix("out/web/") for key in cluster.keys("out/web/")} == names, names
    for name in names:
        assert cluster.object(f"out/web/{name}") == (web / name).read_bytes(), f"other bytes: {name}"
    report = cluster.object("out/call.json").decode()
    assert str(folder) not in report and "s3://calls/in/ada.webm" in report, report
    uploads = cluster.s3.list_multipart_uploads(Bucket="work").get("Uploads", [])
    # A process killed before it knew its upload's ID left that upload to the bucket's own rules.
    assert len(uploads) <= killed and all(upload["Key"].startswith("w/pieces/") for upload in uploads), uploads
    print(f"ok: a cluster of {MACHINES} machines, {last + 1} segments twice, {rounds} times, {killed} killed")


def check_ranges(folder):
    """Checks that a machine fetches little more than the packets that its segment needs."""
    # The servers of one process share their buckets, so this cluster has its own prefix.
    cluster = Cluster(folder / "ranges", machines=2)
    call = folder / "ranges" / "in"
    call.mkdir()
    for name, options in (("ada.webm", ["-c:v", "libvpx", "-deadline", "realtime"]),
                          ("ben.mp4", ["-c:v", "libx264", "-preset", "ultrafast"])):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x480:r=10:d=60", "-f",
             "lavfi", "-i", "sine=330:d=60", *options, "-b:v", "3M", "-minrate", "3M", "-g", "20",
             "-c:a", "libopus", str(call / name)], check=True)
    for file in call.iterdir():
        cluster.s3.upload_file(str(file), "calls", f"ranges/{file.name}")
    plan = "s3://work/ranges/plan.json"
    wanted = folder / "ranges" / "wanted.mp4"
    first, second = cluster.machines
    first.run("render", call, "-o", wanted, *LOOK)
    said = first.run("plan", "s3://calls/ranges/", "-o", plan, *LOOK)
    last = int(said.split("segments 0 to ")[1].split(",")[0])
    sizes = sum(file.stat().st_size for file in call.iterdir())
    for number in range(last + 1):
        before = second.proxy.fetched
        second.run("segment", plan, "--index", number)
        share = (second.proxy.fetched - before) / sizes
        assert share < 1.15 * 2 / (last + 1), f"segment {number}: {share:.3f} of the bytes"
    assert second.proxy.fetched < 1.15 * sizes, (second.proxy.fetched, sizes)
    first.run("soundtrack", plan)
    first.run("stitch", plan, "-o", folder / "ranges" / "made.mp4")
    assert (folder / "ranges" / "made.mp4").read_bytes() == wanted.read_bytes(), "other bytes"
    print(f"ok: ranges: all segments took {second.proxy.fetched / sizes:.2f} of the bytes")
    cluster.server.stop()


def check_stop(cluster):
    """Checks that a stopped process uploads all finished pieces within ten seconds."""
    plan = "s3://work/w/plan.json"
    for key in cluster.keys("w/pieces/"):
        cluster.s3.delete_object(Bucket="work", Key=key)
    machine = cluster.machines[2]
    process = machine.start("segment", plan, "--index", "0-3")
    deadline = time.time() + 120
    while not cluster.keys("w/pieces/") and time.time() < deadline:
        time.sleep(0.05)
    asked = time.time()
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[0]
    seconds = time.time() - asked
    assert process.returncode == 75, f"exit {process.returncode}: {said}"
    assert seconds < 10, f"{seconds} s: {said}"
    finished = sum(line.endswith(" is finished") for line in said.splitlines())
    sections = {key.split("-")[0] for key in cluster.keys("w/pieces/")}
    assert finished == len(sections) >= 1, f"{cluster.keys('w/pieces/')}: {said}"
    left = [path for path in machine.folder.rglob("*.tseg")]
    assert len(left) <= 3 * finished, f"{left} were finished and are not up: {said}"
    print(f"ok: stopped after {seconds:.1f} s, {finished} pieces up")


def check_crash(cluster, folder, call):
    """Checks that a recording that crashes workers is lost from there on, with equal results on every machine."""
    library = folder / "hostile.so"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "libavcodec"], check=True, capture_output=True, text=True).stdout
    compiler = shutil.which("cc") or shutil.which("clang")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-w", "-o", str(library),
         "Tests/Support/HostileDecoder/hostile_decoder.c", "-ldl", *flags.split()], check=True)
    plan = "s3://work/crash/plan.json"
    first, second = cluster.machines[3:5]
    said = first.run("plan", "s3://calls/in/", "-o", plan, *LOOK)
    last = int(said.split("segments 0 to ")[1].split(",")[0])
    hostile = {"LD_PRELOAD": str(library), "TESSERA_HOSTILE_CODEC": "vp8",
               "TESSERA_HOSTILE_PACKET": "60", "TESSERA_HOSTILE_DEED": "segv"}
    first.run("segment", plan, "--index", 1, variables=hostile)
    lost = cluster.keys("crash/losses/")
    assert lost and all(key.startswith("crash/losses/1/") for key in lost), lost
    for number in range(last + 1):
        second.run("segment", plan, "--index", number)
    second.run("soundtrack", plan)
    names = [key for key in cluster.keys("crash/pieces/") if "/1-" in key]
    assert len(names) == 1 and names[0].count("-") > 1, names
    outputs = []
    for machine in (first, second):
        outputs.append(machine.folder / "crash.mp4")
        said = machine.run("stitch", plan, "-o", outputs[-1], expect=3)
        assert "signal 11" in said or "crash" in said, said
    assert outputs[0].read_bytes() == outputs[1].read_bytes(), "machines join different pieces"
    print(f"ok: a crash, {len(lost)} losses, one consistent set")


def check_render(cluster, folder):
    """Checks that a render reuses the pieces that another machine finished before it was killed."""
    source = folder / "minute.webm"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=20:d=60", "-f", "lavfi",
         "-i", "sine=300:d=60", "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v",
         "1M", "-g", "40", "-c:a", "libopus", str(source)], check=True)
    cluster.s3.upload_file(str(source), "calls", "long/minute.webm")
    first, second, third = cluster.machines[5:8]
    words = ["render", "s3://calls/long/minute.webm", "--size", "320x180", "--fps", "10", "--jobs", 1]
    wanted, sound = folder / "minute.mp4", folder / "minute.m4a"
    first.run(*words, "-o", wanted, "--also", sound)
    kept = ["--work-dir", "s3://work/render/"]
    words += ["-o", "s3://work/out/minute.mp4", "--also", "s3://work/out/minute.m4a", *kept]
    process = second.start(*words)
    deadline = time.time() + 120

    def segments():
        return [key for key in cluster.keys("render/pieces/") if key.endswith(".tseg")]

    while not segments() and process.poll() is None and time.time() < deadline:
        time.sleep(0.05)
    process.kill()
    said = process.communicate()[0]
    there = segments()
    assert there, f"no segment is in the bucket: {said}"
    # Another machine's open uploads stay.
    other = cluster.s3.create_multipart_upload(Bucket="work", Key=there[0])["UploadId"]
    said = third.run(*words, "--progress", "none")
    assert "frames are there from an earlier run" in said, said
    # Killed machines of `check_cluster` may have left uploads of their own.
    uploads = [upload["UploadId"] for upload in cluster.s3.list_multipart_uploads(Bucket="work")["Uploads"]
               if not upload["Key"].startswith("w/pieces/")]
    assert uploads == [other], f"not only the other's: {uploads}"
    cluster.s3.abort_multipart_upload(Bucket="work", Key=there[0], UploadId=other)
    assert cluster.object("out/minute.mp4") == wanted.read_bytes(), "other bytes of a resumed render"
    assert cluster.object("out/minute.m4a") == sound.read_bytes(), "other bytes of its sound"
    said = first.run(*words[:8], "-o", folder / "again.mp4", *kept)
    assert "frames are there from an earlier run" in said, said
    assert (folder / "again.mp4").read_bytes() == wanted.read_bytes(), "other bytes of its pieces"
    print(f"ok: a render on, {len(there)} of {len(segments())} segments from before")


def check_batch(cluster, call):
    """Checks that the calls below a prefix, or of a list in a bucket, are the jobs of a batch."""
    for name in ("one/", "two/", "two/deeper/"):
        for file in sorted(call.iterdir()):
            cluster.s3.upload_file(str(file), "calls", f"night/{name}{file.name}")
    cluster.s3.put_object(Bucket="calls", Key="night/notes.txt", Body=b"no call")
    machine = cluster.machines[1]
    words = ["--output", "s3://work/night/{name}.mp4", "--report-dir", "s3://work/night", *LOOK]
    said = machine.run("batch", "s3://calls/night/", *words)
    assert "finished    2" in said, said
    made = {f"night/{name}.{ending}" for name in ("one", "two") for ending in ("mp4", "json")}
    assert set(cluster.keys("night/")) == made, cluster.keys("night/")
    line = json.dumps({"id": "one", "input": "s3://calls/night/one/"}) + "\n"
    cluster.s3.put_object(Bucket="calls", Key="lists/night.jsonl", Body=line.encode())
    said = machine.run("batch", "s3://calls/lists/night.jsonl", *words)
    assert "done before 1" in said, said
    cluster.s3.put_object(Bucket="calls", Key="lists/wrong.jsonl", Body=b"{}")
    said = machine.run("batch", "s3://calls/lists/wrong.jsonl", *words, expect=2)
    assert "s3://calls/lists/wrong.jsonl, line 1" in said, said
    print("ok: a batch of a prefix")


def check_secrets(folder):
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_size < 1 << 22:
            assert SECRET.encode() not in path.read_bytes(), f"{path} holds a secret"
    print("ok: no secret in any file")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-cluster."))
    try:
        cluster = Cluster(folder)
        check_cluster(cluster, folder, make_call(folder))
        check_crash(cluster, folder, folder / "call")
        check_render(cluster, folder)
        check_batch(cluster, folder / "call")
        check_stop(cluster)
        check_ranges(folder)
        check_secrets(folder)
        cluster.server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
