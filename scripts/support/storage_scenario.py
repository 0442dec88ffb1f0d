"""What scripts/test-storage does: renders from buckets, over a faulty network, and hostile servers."""

import contextlib
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

import boto3
from moto.server import ThreadedMotoServer

TESSERA = sys.argv[1]
SECRET = "a-secret-that-is-in-no-output-at-all"
BUCKET = "calls"


class FaultyProxy(http.server.BaseHTTPRequestHandler):
    """Passes requests on to the server of buckets, some of them badly. Its faults pass: a request that
    failed twice is passed on."""

    protocol_version = "HTTP/1.1"
    target = None
    files = None
    fault = None
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
        fault = self.fault if self.counts[key] <= 2 and self.numbers.random() < 0.6 else None
        if fault == "errors":
            self.send_response(self.numbers.choice([500, 502, 503, 429]))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        upstream = http.client.HTTPConnection(*self.target, timeout=60)
        upstream.request(self.command, self.path, body, dict(self.headers.items()))
        reply = upstream.getresponse()
        content = reply.read()
        upstream.close()
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
        if fault == "resets" and content:
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
        """A file behind a presigned address: the server of buckets does not read their signatures."""
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


class Scenario:
    def __init__(self, folder):
        self.folder = folder
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.host = self.server.get_host_and_port()
        FaultyProxy.target = self.host
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), FaultyProxy)
        self.proxy.daemon_threads = True
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.s3 = boto3.client(
            "s3", endpoint_url=f"http://{self.host[0]}:{self.host[1]}", region_name="us-east-1",
            aws_access_key_id="test", aws_secret_access_key="test")
        self.keys = self.authenticated_user()
        self.s3.create_bucket(Bucket=BUCKET)

    def authenticated_user(self):
        """Switches authentication on; returns the keys of a user who may use buckets."""
        address = f"http://{self.host[0]}:{self.host[1]}"
        iam = boto3.client(
            "iam", endpoint_url=address, region_name="us-east-1", aws_access_key_id="test",
            aws_secret_access_key="test")
        iam.create_user(UserName="renderer")
        policy = {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
        iam.put_user_policy(
            UserName="renderer", PolicyName="s3", PolicyDocument=json.dumps(policy))
        key = iam.create_access_key(UserName="renderer")["AccessKey"]
        connection = http.client.HTTPConnection(*self.host)
        connection.request("POST", "/moto-api/reset-auth", body=b"0")
        assert connection.getresponse().status == 200
        self.s3 = boto3.client(
            "s3", endpoint_url=address, region_name="us-east-1",
            aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
        return key["AccessKeyId"], key["SecretAccessKey"]

    def run(self, *words, proxy=False, secret=None, cache=None, expect=0):
        port = self.proxy.server_port if proxy else self.host[1]
        cache = cache or tempfile.mkdtemp(dir=self.folder)
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder),
            "AWS_ACCESS_KEY_ID": self.keys[0], "AWS_SECRET_ACCESS_KEY": secret or self.keys[1],
            "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port}", "XDG_CACHE_HOME": str(cache)}
        result = subprocess.run(
            [TESSERA, *map(str, words)], env=environment, capture_output=True, text=True, timeout=300,
            check=False)
        said = result.stdout + result.stderr
        assert result.returncode == expect, f"{words}: exit {result.returncode}: {said}"
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
            for path in pathlib.Path(cache).rglob("*"):
                if path.is_file() and path.stat().st_size < 1 << 20:
                    data = path.read_bytes()
                    assert scenario.keys[1].encode() not in data, f"{path} holds a secret"
                    assert b"X-Amz-Signature" not in data, f"{path} holds a signature"
            print(f"ok: {name}")

        # The server misreads signatures of prefixes with slashes, botocore's too.
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
        check("presigned", presigned, listed, proxy=True)
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
        check("session", session, digest((folder / "session.mp4").read_bytes()), proxy=True)
        session.write_text(session.read_text().replace(signed, "https://127.0.0.1:1/"))
        said = scenario.run("render", session, "-o", folder / "x.mp4", expect=1)
        assert "not on the public network" in said, said
        said = scenario.run(
            "inspect", f"{signed}ada.webm?X-Amz-Signature=old", proxy=True, expect=75)
        assert "have expired" in said, said
        for fault in ("errors", "resets", "lengths", "slow"):
            FaultyProxy.fault = fault
            FaultyProxy.counts.clear()
            check(fault, objects, listed, proxy=True)
        FaultyProxy.fault = None

        said = scenario.run(
            "inspect", f"s3://{BUCKET}/in/none.webm", expect=1)
        assert "it is not there" in said, said
        said = scenario.run("inspect", objects[0], secret=SECRET, expect=1)
        assert "access is denied" in said, said
        said = scenario.run(
            "render", objects[0], "-o", folder / "x.mp4", "--max-input-size", "1000", expect=2)
        assert "--max-input-size" in said, said
        scenario.put("out/foreign.mp4", files[0])
        said = scenario.run("render", objects[0], "-o", f"s3://{BUCKET}/out/foreign.mp4", expect=2)
        assert "did not make it" in said, said
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
        assert "did not make it" in said, said
        print("ok: folders")
        uploads = scenario.s3.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
        assert not uploads, f"uploads are left open: {uploads}"
        print("ok: errors and remains")
        scenario.proxy.shutdown()
        scenario.server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
