"""The S3 servers of scripts/test-storage: moto inside the process, or a real one that is started on loopback
and stopped at the end."""

import atexit
import http.client
import json
import logging
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import boto3

# Without this, moto's server prints each request.
logging.getLogger("werkzeug").setLevel(logging.ERROR)


def free_ports(count):
    """Returns loopback ports on which nothing listened a moment ago."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Moto:
    """An S3 server inside this process, which checks signatures only after `authenticate`."""

    name = "moto"

    def __init__(self, keys):
        from moto.server import ThreadedMotoServer

        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.host = self.server.get_host_and_port()
        self.keys = keys

    def authenticate(self):
        """Enables authentication; `keys` become those of a user with access to buckets."""
        iam = boto3.client(
            "iam", endpoint_url=self.address, region_name="us-east-1", aws_access_key_id="test",
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
        self.keys = key["AccessKeyId"], key["SecretAccessKey"]

    @property
    def address(self):
        return f"http://{self.host[0]}:{self.host[1]}"

    def client(self):
        return boto3.client(
            "s3", endpoint_url=self.address, region_name="us-east-1",
            aws_access_key_id=self.keys[0], aws_secret_access_key=self.keys[1])

    def stop(self):
        self.server.stop()


class Program(Moto):
    """A real server: a program from PyPI beside this interpreter. It always checks signatures."""

    def __init__(self, keys):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"tessera-{self.name}."))
        self.keys = keys
        ports = free_ports(8)
        self.host = ("127.0.0.1", ports[0])
        (self.folder / "data").mkdir()
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", str(pathlib.Path(sys.executable).parent / self.program),
             *self.words(ports)], stdout=self.log, stderr=subprocess.STDOUT, cwd=self.folder,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder)})
        atexit.register(self.stop)
        self.wait()

    def wait(self):
        """Returns as soon as a bucket can be created and written to."""
        deadline = time.time() + 90
        while True:
            try:
                s3 = self.client()
                s3.create_bucket(Bucket="started")
                s3.put_object(Bucket="started", Key="object", Body=b"1")
                s3.delete_object(Bucket="started", Key="object")
                s3.delete_bucket(Bucket="started")
                return
            except Exception as error:
                if self.process.poll() is not None or time.time() > deadline:
                    log = (self.folder / "log").read_text(errors="replace")[-3000:]
                    raise AssertionError(f"{self.name} does not start: {error}\n{log}") from error
                time.sleep(0.3)

    def authenticate(self):
        pass

    def stop(self):
        atexit.unregister(self.stop)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Rclone(Program):
    name = "rclone"
    program = "rclone"

    def words(self, ports):
        return [
            "serve", "s3", "--addr", f"127.0.0.1:{ports[0]}", "--auth-key", ",".join(self.keys),
            "--config", str(self.folder / "rclone.conf"), str(self.folder / "data")]


class SeaweedFS(Program):
    name = "seaweedfs"
    program = "weed"

    def words(self, ports):
        (self.folder / "s3.json").write_text(json.dumps({"identities": [{
            "name": "renderer", "actions": ["Admin", "Read", "List", "Tagging", "Write"],
            "credentials": [{"accessKey": self.keys[0], "secretKey": self.keys[1]}]}]}))
        names = ["s3.port", "s3.port.grpc", "master.port", "master.port.grpc", "volume.port", "volume.port.grpc",
                 "filer.port", "filer.port.grpc"]
        return [
            "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={self.folder}/data", "-filer", "-s3",
            f"-s3.config={self.folder}/s3.json", "-volume.max=200", "-master.volumeSizeLimitMB=64",
            "-s3.port.iceberg=0", "-s3.port.lance=0", "-volume.preStopSeconds=0", "-master.telemetry=false",
            *[f"-{name}={port}" for name, port in zip(names, ports)]]


def start(keys=("test", "test")):
    """Starts the server that TESSERA_STORAGE_SERVER names (default: moto). A real one accepts only `keys`."""
    name = os.environ.get("TESSERA_STORAGE_SERVER", "moto")
    return {kind.name: kind for kind in (Moto, Rclone, SeaweedFS)}[name](keys)
