"""The main scenario of scripts/test-storage: renders from and to buckets, also over a faulty network."""

import contextlib
import datetime
import hashlib
import http.client
import http.server
import ipaddress
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

import storage_servers

TESSERA = sys.argv[1]
SECRET = "a-secret-that-is-in-no-output-at-all"
BUCKET = "calls"


class FaultyProxy(http.server.BaseHTTPRequestHandler):
    """Forwards requests to the S3 server, some of them with faults. Faults are temporary: a request that
    failed twice is forwarded."""

    protocol_version = "HTTP/1.1"
    target = None
    files = None
    numbers = random.Random(7)
    counts = {}
    log = []

    def log_message(self, *_):
        pass

    def handle_any(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        key = (self.command, self.path, self.headers.get("Range"))
        self.counts[key] = self.counts.get(key, 0) + 1
        self.log.append(key)
        if self.path.startswith("/signed/"):
            return self.signed()
        fault = self.server.fault if self.counts[key] <= 2 and self.numbers.random() < 0.6 else None
        if self.server.fault == "first-error":
            fault = "errors" if self.path.endswith("?uploads=") and not self.server.stalled else None
            self.server.stalled |= {self.path} if fault else set()
        if fault == "errors":
            self.send_response(self.numbers.choice([500, 502, 503, 429]))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.server.fault == "holds" and self.command == "PUT" and "partNumber" in self.path:
            # The sender is stopped meanwhile.
            self.server.holding.set()
            self.server.ending.wait(60)
            self.close_connection = True
            return
        upstream = http.client.HTTPConnection(*self.target, timeout=60)
        upstream.request(self.command, self.path, body, dict(self.headers.items()))
        reply = upstream.getresponse()
        content = reply.read()
        upstream.close()
        is_stalling = (
            self.server.fault == "stalls" and content and self.path not in self.server.stalled)
        if (is_stalling or fault in ("resets", "lengths")) and self.path.endswith("?uploads="):
            # This upload's ID is lost: no process can abort it later.
            self.server.lost.append(content.decode().partition("<UploadId>")[2].partition("<")[0])
        self.send_response(reply.status)
        length = len(content)
        if self.command == "HEAD":
            length = reply.headers.get("Content-Length") or 0
        elif fault == "lengths" and content:
            length = max(0, length + self.numbers.choice([-10, 10]))
        for name, value in reply.headers.items():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if is_stalling:
            self.server.stalled.add(self.path)
            self.wfile.write(content[: len(content) // 2])
            time.sleep(45)
            self.close_connection = True
            return
        is_changing = self.server.fault == "changes" and reply.status == 206
        if is_changing:
            self.server.change()
        if (fault == "resets" or is_changing) and content:
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            time.sleep(0.02)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        if fault == "slow":
            for start in range(0, len(content), max(1, len(content) // 5)):
                self.wfile.write(content[start : start + max(1, len(content) // 5)])
                time.sleep(0.05)
            return
        with contextlib.suppress(OSError):
            self.wfile.write(content)
        if fault == "lengths":
            self.close_connection = True

    def signed(self):
        """A file behind a presigned address: the S3 server does not check its signature."""
        name, _, query = self.path.removeprefix("/signed/").partition("?")
        data = (self.files / name).read_bytes()
        if query != "X-Amz-Signature=good":
            text = b"<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
            self.send_response(403)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
            return
        start, end = self.headers["Range"].removeprefix("bytes=").split("-")
        part = data[int(start) : int(end) + 1]
        self.send_response(206)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Range", f"bytes {start}-{int(start) + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any


class Proxy(http.server.ThreadingHTTPServer):
    """A network that fails in one way."""

    daemon_threads = True
    lost = []

    def __init__(self, fault=None, certificate=None):
        super().__init__(("127.0.0.1", 0), FaultyProxy)
        self.fault, self.stalled, self.change = fault, set(), None
        self.holding, self.ending = threading.Event(), threading.Event()
        self.certificate = certificate
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass

    @property
    def address(self):
        return f"{'https' if self.certificate else 'http'}://127.0.0.1:{self.server_port}"


def make_certificate(path):
    """Writes a key and a self-signed certificate for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False)
        .sign(key, hashes.SHA256()))
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM))


class Scenario:
    def __init__(self, folder):
        self.folder = folder
        self.server = storage_servers.start(("renderer-key", "a-renderer-secret-that-is-in-no-output"))
        self.server.authenticate()
        self.host, self.keys, self.s3 = self.server.host, self.server.keys, self.server.client()
        FaultyProxy.target = self.host
        make_certificate(folder / "server.pem")
        self.proxy, self.secure = Proxy(), Proxy(certificate=folder / "server.pem")
        self.s3.create_bucket(Bucket=BUCKET)

    def start(self, *words, proxy=None, secret=None, cache=None):
        address = proxy.address if proxy else f"http://{self.host[0]}:{self.host[1]}"
        cache = cache or tempfile.mkdtemp(dir=self.folder)
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder),
            "AWS_ACCESS_KEY_ID": self.keys[0], "AWS_SECRET_ACCESS_KEY": secret or self.keys[1],
            "AWS_ENDPOINT_URL_S3": address, "XDG_CACHE_HOME": str(cache)}
        if proxy is self.secure:
            environment["AWS_CA_BUNDLE"] = str(self.folder / "server.pem")
        return subprocess.Popen(
            [TESSERA, *map(str, words)], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)

    def run(self, *words, expect=0, **options):
        process = self.start(*words, **options)
        said = process.communicate(timeout=300)[0]
        assert process.returncode == expect, f"{words}: exit {process.returncode}: {said}"
        for word in (self.keys[1], SECRET, "X-Amz-Signature"):
            assert word not in said, f"{words} prints a secret: {said}"
        return said

    def object(self, key):
        return self.s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()

    def put(self, key, path):
        self.s3.upload_file(str(path), BUCKET, key)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def make_call(folder):
    call = folder / "call"
    call.mkdir()
    for name, rate in (("ada", 330), ("ben", 440)):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=15:d=2", "-f", "lavfi",
             "-i", f"sine={rate}:d=2", "-c:v", "libvpx", "-deadline", "realtime", "-b:v", "4M",
             "-c:a", "libopus", str(call / f"{name}.webm")], check=True)
    with zipfile.ZipFile(folder / "call.zip", "w") as archive:
        for file in sorted(call.iterdir()):
            archive.write(file, file.name)
    return call


def check_recorders(scenario, folder, check, look):
    """Checks recorders' uploads: an archive, and a prefix with its files."""
    made = folder / "recorders"
    subprocess.run(
        [sys.executable, "scripts/make-recordings", str(made), "vonage", "daily"], check=True)
    scenario.put("vonage/archive.zip", made / "vonage.zip")
    scenario.s3.create_bucket(Bucket="daily")
    for file in sorted((made / "daily").iterdir()):
        scenario.s3.upload_file(str(file), "daily", file.name)
    for name, disk, remote in (("vonage", made / "vonage.zip", f"s3://{BUCKET}/vonage/archive.zip"),
                               ("daily", made / "daily", "s3://daily/")):
        output = folder / f"{name}.mp4"
        scenario.run("render", disk, "-o", output, "--accept-losses", *look)
        check(name, [remote, "--accept-losses"], digest(output.read_bytes()))


def check_large(scenario, folder):
    """Checks an output that is uploaded in parts, over a faulty network."""
    source = folder / "long.webm"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=300:d=200", "-c:a", "libopus", str(source)],
        check=True)
    wanted = folder / "long.wav"
    scenario.run("render", source, "-o", wanted)
    assert wanted.stat().st_size > 17 << 20, wanted.stat().st_size
    # The server misreads signatures of queries with slashes, such as that for an object's uploads.
    for fault in ("errors", "resets"):
        scenario.run("render", source, "-o", f"s3://{BUCKET}/{fault}.wav", proxy=Proxy(fault))
        assert scenario.object(f"{fault}.wav") == wanted.read_bytes(), f"{fault}: other bytes"
    print("ok: an upload in parts")


def check_stops(scenario, folder):
    """Checks that stopped multipart uploads leave nothing, or that the next run aborts them; another machine's
    upload to the same key is left alone."""
    words = ["render", folder / "long.webm", "-o", f"s3://{BUCKET}/stopped.wav"]
    theirs = scenario.s3.create_multipart_upload(Bucket=BUCKET, Key="stopped.wav")["UploadId"]

    def opened():
        """Returns this machine's uploads to that key."""
        found = [entry["UploadId"] for entry in scenario.s3.list_multipart_uploads(Bucket=BUCKET)["Uploads"]
                 if entry["Key"] == "stopped.wav"]
        assert theirs in found, "the upload of another machine was ended"
        return [entry for entry in found if entry != theirs]

    proxy = Proxy("holds")
    for number, code, left in ((signal.SIGTERM, 75, 0), (signal.SIGINT, 130, 0), (signal.SIGHUP, 130, 0),
                               (signal.SIGKILL, -9, 1)):
        proxy.holding, proxy.ending = threading.Event(), threading.Event()
        process = scenario.start(*words, proxy=proxy)
        assert proxy.holding.wait(120), process.communicate(timeout=10)[0]
        process.send_signal(number)
        said = process.communicate(timeout=60)[0]
        proxy.ending.set()
        assert process.returncode == code, f"{number.name}: exit {process.returncode}: {said}"
        assert len(opened()) == left, f"{number.name}: {opened()}"
    proxy.fault = "first-error"
    scenario.run(*words, proxy=proxy)
    assert scenario.object("stopped.wav") == (folder / "long.wav").read_bytes()
    assert not opened(), opened()
    scenario.s3.abort_multipart_upload(Bucket=BUCKET, Key="stopped.wav", UploadId=theirs)
    print("ok: stops during uploads")


def check_beside(scenario, folder, files, look):
    """Checks that a session's further outputs are beside the main output in the bucket, and that a page finds its video."""
    session = folder / "beside.yaml"
    session.write_text(json.dumps({
        "version": 1, "participants": [{"id": "ada", "tracks": [{"file": str(files[0])}]}],
        "outputs": [{"file": "mail.mp4", "size": "160x90"}, {"file": "web", "hls": "96p"},
                    {"file": "poster.jpg"}]}))
    base = f"s3://{BUCKET}/beside"
    words = ["render", session, "-o", f"{base}/call.mp4", "--report", f"{base}/call.json",
             "--page", f"{base}/pages/call.html", *look]
    said = scenario.run(*words)
    for name in ("call.mp4", "mail.mp4", "web", "poster.jpg"):
        assert f"{base}/{name}" in said, f"{name}: {said}"
    assert "/outputs/" not in said, said
    keys = [entry["Key"].removeprefix("beside/") for entry in
            scenario.s3.list_objects_v2(Bucket=BUCKET)["Contents"]]
    for name in ("call.mp4", "mail.mp4", "web/master.m3u8", "poster.jpg", "call.json", "pages/call.html",
                 "pages/call-thumbnails.jpg"):
        assert name in keys, f"{name}: {keys}"
    report = json.loads(scenario.object("beside/call.json"))
    assert report["output"] == f"{base}/call.mp4" and report["outputs"][0]["output"] == f"{base}/mail.mp4", report
    page = scenario.object("beside/pages/call.html").decode()
    for address in ("../call.mp4", "../mail.mp4", "call-thumbnails.jpg"):
        assert f'"{address}"' in page, f"the page does not link to {address}"
    assert str(folder) not in page, "the page names a path of this machine"
    scenario.run(*words)
    scenario.put("beside/mail.mp4", files[0])
    said = scenario.run(*words, expect=2)
    assert f"{base}/mail.mp4 exists and was not made by Tessera" in said, said
    page = folder / "beside.html"
    words = ["render", files[0], "-o", f"{base}/alone.mp4", "--page", page, *look]
    said = scenario.run(*words, expect=2)
    assert "--page-video" in said and not page.exists(), said
    scenario.run(*words, "--page-video", "https://example.com/alone.mp4")
    assert "https://example.com/alone.mp4" in page.read_text()
    # Outputs of a list or a request can be in buckets as well, and cuts have the same effect.
    listed = folder / "outputs.yaml"
    listed.write_text(f"- {{ file: '{base}/listed.mp4', keep: ['0-0.4'] }}\n")
    scenario.run("render", files[0], "-o", f"{base}/whole.mp4", "--outputs", listed, *look)
    request = folder / "request.json"
    request.write_text(json.dumps({
        "version": 1, "inputs": [str(files[0])], "outputs": [{"file": f"{base}/asked.mp4"}], "keep": ["0-0.4"],
        **{word.removeprefix("--"): value for word, value in zip(look[::2], look[1::2])}}))
    scenario.run("perform", request)
    scenario.run("render", files[0], "-o", folder / "kept.mp4", "--keep", "0-0.4", *look)
    kept = (folder / "kept.mp4").read_bytes()
    for name in ("listed.mp4", "asked.mp4"):
        assert scenario.object(f"beside/{name}") == kept, f"{name} is another video"
    print("ok: what lies beside an output")


def check_changes(scenario, folder, files):
    """Checks that an object that is replaced during a fetch is fetched again."""
    scenario.put("in/changing.webm", files[0])
    proxy = Proxy("changes")

    def change():
        scenario.put("in/changing.webm", files[1])
        proxy.fault = None

    proxy.change = change
    look = ("--keep", "0-0.4")
    scenario.run(
        "render", f"s3://{BUCKET}/in/changing.webm", "-o", f"s3://{BUCKET}/out/changed.mp4", *look, proxy=proxy)
    keys = [entry["Key"] for entry in scenario.s3.list_objects_v2(Bucket=BUCKET)["Contents"]]
    assert "out/changed.mp4" in keys, keys
    print("ok: an object that changes")


def check_batch(scenario, folder, files, look):
    """Checks that a batch from and to buckets repeats changed jobs only."""
    scenario.s3.create_bucket(Bucket="night")
    for file in files:
        scenario.s3.upload_file(str(file), "night", f"in-{file.name}")
    session = folder / "night.yaml"
    session.write_text(json.dumps({"version": 1, "participants": [
        {"id": "ada", "tracks": [{"file": f"s3://night/in-{files[0].name}"}]}]}))
    jobs = [
        {"id": "both", "input": [f"s3://night/in-{file.name}" for file in files],
         "output": ["s3://night/both.mp4", "s3://night/both-web/:hls=180p"],
         "report": "s3://night/both.json"},
        {"id": "one", "input": f"s3://night/in-{files[1].name}", "output": str(folder / "night.mp4")},
        {"id": "session", "input": str(session), "output": "s3://night/session.mp4"},
        {"id": "sound", "input": str(files[0]), "output": "s3://night/sound.m4a"},
    ]
    lists = folder / "night.jsonl"
    lists.write_text("".join(json.dumps(job) + "\n" for job in jobs))
    results = folder / "night-results.jsonl"

    def batch():
        """Returns the jobs that were run."""
        results.unlink(missing_ok=True)
        scenario.run("batch", lists, "--results", results, *look)
        lines = [json.loads(line) for line in results.read_text().splitlines()]
        assert {line["id"] for line in lines} == {"both", "one", "session", "sound"}, lines
        assert all(line["exit"] == 0 for line in lines), lines
        return {line["id"] for line in lines if line["attempts"] > 0}

    assert batch() == {"both", "one", "session", "sound"}
    assert batch() == set()
    scenario.s3.upload_file(str(files[1]), "night", f"in-{files[0].name}")
    assert batch() == {"both", "session"}
    for gone in ("both.json", "both-web/master.m3u8", "both.mp4"):
        scenario.s3.delete_object(Bucket="night", Key=gone)
        assert batch() == {"both"}, gone
    scenario.s3.delete_object(Bucket="night", Key="sound.m4a")
    assert batch() == {"sound"}
    assert batch() == set()
    print("ok: a batch")


def check_import(scenario, folder, wanted, look):
    """Checks that a session file names the objects of a call in a bucket, and renders like the call."""
    session = folder / "imported.yaml"
    scenario.run("import", "s3://folder/", "-o", session)
    assert "s3://folder/ada.webm" in session.read_text(), session.read_text()
    output = folder / "imported.mp4"
    scenario.run("render", session, "-o", output, *look)
    assert digest(output.read_bytes()) == wanted, "other bytes of what was imported"
    print("ok: an import")


def check_secrets(scenario, folder):
    """Checks that no local file and no object contains a secret, except for those that the user wrote."""
    own = {folder / "session.yaml", folder / "server.pem"}
    for path in folder.rglob("*"):
        if path.is_file() and path not in own:
            data = path.read_bytes()
            for secret in (scenario.keys[1].encode(), b"X-Amz-Signature"):
                assert secret not in data, f"{path} holds a secret"
    for bucket in (BUCKET, "folder", "daily"):
        for entry in scenario.s3.list_objects_v2(Bucket=bucket)["Contents"]:
            data = scenario.s3.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read()
            for secret in (scenario.keys[1].encode(), b"X-Amz-Signature"):
                assert secret not in data, f"{entry['Key']} holds a secret"
    print("ok: no secret in any file or object")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-storage."))
    try:
        scenario = Scenario(folder)
        call = make_call(folder)
        look = ["--size", "320x180", "--fps", "10"]
        files = sorted(call.iterdir())
        for file in files:
            scenario.put(f"in/call/{file.name}", file)
        scenario.put("in/call.zip", folder / "call.zip")
        from_folder = folder / "folder.mp4"
        scenario.run("render", call, "-o", from_folder, *look)
        wanted = digest(from_folder.read_bytes())
        from_files = folder / "files.mp4"
        scenario.run("render", *files, "-o", from_files, *look)
        listed = digest(from_files.read_bytes())

        def check(name, source, wanted, **options):
            sources = source if isinstance(source, list) else [source]
            cache = tempfile.mkdtemp(dir=folder)
            said = scenario.run(
                "render", *sources, "-o", f"s3://{BUCKET}/out/{name}.mp4", "--report",
                f"s3://{BUCKET}/out/{name}.json", *look, cache=cache, **options)
            assert digest(scenario.object(f"out/{name}.mp4")) == wanted, f"{name}: other bytes"
            report = scenario.object(f"out/{name}.json").decode()
            json.loads(report)
            for secret in (scenario.keys[1], "X-Amz-Signature", str(cache)):
                assert secret not in report, f"{name}: {secret} is in the report"
            assert str(cache) not in said, said
            print(f"ok: {name}")

        # The server misreads signatures of prefixes with slashes, and so does botocore.
        scenario.s3.create_bucket(Bucket="folder")
        for file in files:
            scenario.s3.upload_file(str(file), "folder", file.name)
        check("prefix", "s3://folder/", wanted)
        check("archive", f"s3://{BUCKET}/in/call.zip", wanted)
        objects = [f"s3://{BUCKET}/in/call/{file.name}" for file in files]
        check("objects", objects, listed)
        FaultyProxy.files = call
        signed = f"http://127.0.0.1:{scenario.proxy.server_port}/signed/"
        presigned = [f"{signed}{file.name}?X-Amz-Signature=good" for file in files]
        check("presigned", presigned, listed, proxy=scenario.proxy)
        stall = threading.Thread(
            target=lambda: outcome.append(check("stalls", objects[:1], alone, proxy=Proxy("stalls"))))
        from_file = folder / "file.mp4"
        scenario.run("render", files[0], "-o", from_file, *look)
        alone, outcome = digest(from_file.read_bytes()), []
        stall.start()
        signed = f"{scenario.secure.address}/signed/"
        presigned = [f"{signed}{file.name}?X-Amz-Signature=good" for file in files]
        session = folder / "session.yaml"
        people = [{"id": file.stem, "tracks": [{"file": address}]}
                  for file, address in zip(files, presigned)]
        session.write_text(json.dumps({"version": 1, "participants": people}))
        from_session = folder / "local" / "session.yaml"
        from_session.parent.mkdir()
        for person, file in zip(people, files):
            person["tracks"][0]["file"] = str(file)
        from_session.write_text(json.dumps({"version": 1, "participants": people}))
        scenario.run("render", from_session, "-o", folder / "session.mp4", *look)
        check(
            "session", session, digest((folder / "session.mp4").read_bytes()), proxy=scenario.secure)
        check("encrypted", objects, listed, proxy=scenario.secure)
        session.write_text(session.read_text().replace(signed, "https://127.0.0.1:1/"))
        signed = f"{scenario.proxy.address}/signed/"
        said = scenario.run("render", session, "-o", folder / "x.mp4", expect=1)
        assert "not on the public network" in said, said
        said = scenario.run(
            "inspect", f"{signed}ada.webm?X-Amz-Signature=old", proxy=scenario.proxy, expect=75)
        assert "have expired" in said, said
        for fault in ("errors", "resets", "lengths", "slow"):
            FaultyProxy.counts.clear()
            check(fault, objects, listed, proxy=Proxy(fault))
        FaultyProxy.counts.clear()
        check_recorders(scenario, folder, check, look)
        check_large(scenario, folder)
        check_stops(scenario, folder)
        check_beside(scenario, folder, files, look)
        check_changes(scenario, folder, files)
        check_import(scenario, folder, wanted, look)
        check_batch(scenario, folder, files, look)
        stall.join()
        assert outcome, "the render over a network that stalls has failed"

        said = scenario.run(
            "inspect", f"s3://{BUCKET}/in/none.webm", expect=1)
        assert "it does not exist" in said, said
        said = scenario.run("inspect", objects[0], secret=SECRET, expect=1)
        assert "access is denied" in said, said
        said = scenario.run(
            "render", objects[0], "-o", folder / "x.mp4", "--max-input-size", "1000", expect=2)
        assert "--max-input-size" in said, said
        scenario.put("out/foreign.mp4", files[0])
        said = scenario.run("render", objects[0], "-o", f"s3://{BUCKET}/out/foreign.mp4", expect=2)
        assert "was not made by Tessera" in said, said
        (folder / "local").mkdir(exist_ok=True)
        scenario.run("render", *files, "-o", folder / "local/call.mp4", "--also",
                     f"{folder}/local/web/:hls=180p", "--also", f"{folder}/local/thumbs/:every=1", *look)
        for _ in range(2):
            scenario.run("render", *objects, "-o", f"s3://{BUCKET}/made/call.mp4", "--also",
                         f"s3://{BUCKET}/made/web/:hls=180p", "--also", f"s3://{BUCKET}/made/thumbs/:every=1", *look)
            made = [path for path in (folder / "local").rglob("*") if path.is_file() and path.suffix != ".yaml"
                    and path.name != "session.mp4"]
            assert len(made) > 6, made
            for path in made:
                name = str(path.relative_to(folder / "local"))
                assert scenario.object(f"made/{name}") == path.read_bytes(), f"{name}: other bytes"
        scenario.run("render", *objects, "-o", f"s3://{BUCKET}/stream/", "--hls", "180p", *look)
        assert b"#EXTM3U" in scenario.object("stream/master.m3u8")
        kind = scenario.s3.head_object(Bucket=BUCKET, Key="made/web/master.m3u8")["ContentType"]
        assert kind == "application/vnd.apple.mpegurl", kind
        scenario.put("foreign/master.m3u8", files[0])
        said = scenario.run(
            "render", *objects, "-o", f"s3://{BUCKET}/foreign/", "--hls", "180p", *look, expect=2)
        assert "was not made by Tessera" in said, said
        print("ok: folders")
        uploads = [entry for entry in scenario.s3.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
                   if entry["UploadId"] not in Proxy.lost]
        assert not uploads, f"uploads are left open: {uploads}"
        print("ok: errors and remains")
        check_secrets(scenario, folder)
        scenario.proxy.shutdown()
        scenario.server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
