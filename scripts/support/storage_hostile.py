"""The hostile scenario of scripts/test-storage: hostile servers and recordings are refused with a message, and
no forbidden host is contacted, as the servers' logs show."""

import hashlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

TESSERA = sys.argv[1]
TERABYTES = 10_000_000_000_000
KEYS = 1_000_000


class Server(http.server.ThreadingHTTPServer):
    """An S3 server whose objects are in a table, and which logs its requests."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects, self.redirects, self.sizes, self.log = {}, {}, {}, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send(self, status, content=b"", headers=(), length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def page(self, bucket, query):
        """Returns a page of a listing; the bucket "many" has a thousand pages."""
        values = dict(part.partition("=")[::2] for part in query.split("&"))
        prefix = values.get("prefix", "").replace("%2F", "/")
        more = ""
        if bucket == "many":
            number = int(values.get("continuation-token", "0"))
            keys = [(f"{prefix}{number * 1000 + index}.webm", 1) for index in range(1000)]
            if number + 1 < KEYS // 1000:
                more = (f"<IsTruncated>true</IsTruncated>"
                        f"<NextContinuationToken>{number + 1}</NextContinuationToken>")
        else:
            names = [path.split("/", 2)[2] for path in self.server.objects if path.startswith(f"/{bucket}/")]
            keys = [(name, len(self.server.objects[f"/{bucket}/{name}"])) for name in names
                    if name.startswith(prefix)]
        rows = "".join(f"<Contents><Key>{key}</Key><Size>{size}</Size>"
                       f"<ETag>{self.tag(f'/{bucket}/{key}')}</ETag></Contents>" for key, size in keys)
        self.send(200, f"<ListBucketResult>{rows}{more}</ListBucketResult>".encode())

    def tag(self, path):
        return hashlib.sha256(self.server.objects.get(path, b"")).hexdigest()

    def handle_any(self):
        path, _, query = self.path.partition("?")
        self.server.log.append(f"{self.command} {self.path}")
        if self.command in ("POST", "PUT"):
            return self.send(403, b"<Error><Code>AccessDenied</Code></Error>")
        if path in self.server.redirects:
            return self.send(302, headers=[("Location", self.server.redirects[path])])
        if path in self.server.sizes:
            return self.send(200, bytes(1 << 16), [("ETag", "x")], self.server.sizes[path])
        if "list-type" in query:
            return self.page(path.split("/")[1], query)
        if path not in self.server.objects:
            return self.send(404, b"<Error><Code>NoSuchKey</Code></Error>")
        content = self.server.objects[path]
        if self.headers["Range"] is None or not content:
            return self.send(200, content, [("ETag", self.tag(path)), ("Accept-Ranges", "bytes")])
        first, last = self.headers["Range"].removeprefix("bytes=").split("-")
        part = content[int(first) : int(last) + 1]
        rows = [("ETag", self.tag(path)),
                ("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}")]
        self.send(206, part, rows)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any


class Hostile:
    def __init__(self, folder):
        self.folder, self.server, self.forbidden = folder, Server(), Server()
        clip = folder / "clip.webm"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=1", "-c:v", "libvpx",
             str(clip)], check=True)
        self.clip = clip.read_bytes()

    def refused(self, *words, because, asked=None, to=None):
        """Checks that the arguments are refused for the reason `because`, after requests for the paths `asked` only."""
        self.server.log.clear()
        output = self.folder / "x.mp4"
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder),
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "a-secret",
            "AWS_ENDPOINT_URL_S3": self.server.address}
        result = subprocess.run(
            [TESSERA, "render", *map(str, words), "-o", to or str(output), "--progress", "none"],
            env=environment, capture_output=True, text=True, timeout=120, check=False)
        said = result.stdout + result.stderr
        assert result.returncode in (1, 2), f"{words}: exit {result.returncode}: {said}"
        assert because in said, f"{words}: {said}"
        assert "root:" not in said and "a-secret" not in said, said
        assert not output.exists(), f"{words} makes an output"
        assert not self.forbidden.log, f"{words} asks where it may not: {self.forbidden.log}"
        for line in self.server.log:
            assert asked is None or any(line.split(" ")[1].startswith(path) for path in asked), line
        return said

    def session(self, *files, **more):
        people = [{"id": f"p{number}", "tracks": [{"file": file}]} for number, file in enumerate(files)]
        return json.dumps({"version": 1, "participants": people, **more}).encode()

    def check_manifests(self):
        """Checks the forbidden names in a bucket's manifest."""
        port = self.forbidden.server_port
        self.server.objects["/calls/call/ada.webm"] = self.clip
        self.server.objects["/other/call/ben.webm"] = self.clip
        self.server.objects["/calls/ben.webm"] = self.clip
        beside = "is not beside it"
        for name, because in [
            ("http://169.254.169.254/latest/meta-data/iam/security-credentials/", beside),
            ("https://169.254.169.254/latest/meta-data/", beside),
            (f"http://127.0.0.1:{port}/x.webm", beside), (f"https://localhost:{port}/x.webm", beside),
            ("s3://other/call/ben.webm", beside), ("s3://calls/ben.webm", beside),
            ("s3://calls/call/../ben.webm", beside), ("file:///etc/passwd", None), ("/etc/passwd", beside),
            ("../ben.webm", beside), ("../../../../../../../../etc/passwd", beside),
        ]:
            self.server.objects["/calls/call/session.json"] = self.session("ada.webm", name)
            for source in ("s3://calls/call/session.json", "s3://calls/call/"):
                # Read as a folder's manifest, it names files of the folder only.
                said = self.refused(source, because="error: ", asked=["/calls"])
                if because and source.endswith("json"):
                    assert because in said, said
                assert "ben.webm" not in str(self.server.log), self.server.log
            print(f"ok: a manifest that names {name}")
        secret = self.folder / "secret.png"
        secret.write_bytes(b"none of its business")
        for name, more in {
            "background": {"canvas": {"background": str(secret)}}, "layout": {"layout": "../layout.json"},
            "image": {"overlays": [{"image": str(secret)}]}, "transcript": {"transcripts": [{"file": "../a.vtt"}]},
            "event": {"events": [{"at": 0, "layout": "/layout.css"}]},
            **{option: {"outputs": [{"file": "y.mp4", option: value}]} for option, value in {
                "watermark": f"{secret}:height=0.9", "background": str(secret), "captions": "../a.vtt",
                "captions-track": "/a.vtt:language=eng", "theme": "../theme.yaml", "layout": "../a.css"}.items()},
        }.items():
            self.server.objects["/calls/call/session.json"] = self.session("ada.webm", **more)
            self.refused("s3://calls/call/session.json", because=beside, asked=["/calls"])
            self.refused("s3://calls/call/", because="leads out of the folder", asked=["/calls"])
            print(f"ok: a manifest that names another's file as {name}")
        del self.server.objects["/calls/call/session.json"]

    def check_rights(self):
        """Checks that write permission is tested before anything is fetched or rendered."""
        self.refused("s3://calls/call/ada.webm", because="access is denied", to="s3://calls/out.mp4")
        assert self.server.log == ["HEAD /calls/out.mp4", "POST /calls/out.mp4?uploads="], self.server.log
        print("ok: a bucket that may only be read")

    def check_hosts(self):
        """Checks the forbidden names in a local session file, which may come from anywhere."""
        path = self.folder / "session.json"
        for host in ("169.254.169.254", "localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"):
            path.write_bytes(self.session(f"https://{host}:{self.forbidden.server_port}/x.webm"))
            self.refused(path, because="not on the public network", asked=[])
        path.write_bytes(self.session("http://169.254.169.254/latest/meta-data/"))
        self.refused(path, because="is not encrypted", asked=[])
        print("ok: hosts that are not on the public network")

    def check_redirects(self):
        self.server.redirects = {
            "/loop": "/loop", "/other": f"http://127.0.0.2:{self.forbidden.server_port}/x.webm",
            "/inside": "http://169.254.169.254/latest/", "/file": "file:///etc/passwd"}
        self.refused(f"{self.server.address}/loop", because="it redirects more than 5 times")
        assert len(self.server.log) <= 6, self.server.log
        for path in ("/other", "/inside"):
            self.refused(self.server.address + path, because="--allow-redirects", asked=[path])
        self.refused(
            f"{self.server.address}/other", "--allow-redirects", because="without encryption",
            asked=["/other"])
        self.refused(f"{self.server.address}/file", because="invalid address", asked=["/file"])
        print("ok: redirects")

    def check_sizes(self):
        self.server.sizes["/calls/big.webm"] = TERABYTES
        self.refused("s3://calls/big.webm", because="--max-input-size")
        assert self.server.log == ["HEAD /calls/big.webm"], self.server.log
        self.refused(f"{self.server.address}/calls/big.webm", because="--max-input-size")
        assert len(self.server.log) == 1, self.server.log
        print("ok: ten terabytes")

    def check_listings(self):
        self.refused("s3://many/call/", because="more than 20000 objects")
        assert len(self.server.log) == 21, len(self.server.log)
        print("ok: a million keys")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-hostile."))
    try:
        hostile = Hostile(folder)
        hostile.check_manifests()
        hostile.check_rights()
        hostile.check_hosts()
        hostile.check_redirects()
        hostile.check_sizes()
        hostile.check_listings()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
