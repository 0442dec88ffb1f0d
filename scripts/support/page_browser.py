"""Drives real headless browsers for scripts/test-page.

Chromium is driven through chromedriver (W3C WebDriver over HTTP), Firefox through its own Marionette,
which takes the same commands over a plain connection."""

import base64
import contextlib
import http.client
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

KEYS = {
    "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010", "PageUp": "\ue00e",
    "PageDown": "\ue00f", "Shift": "\ue008",
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """The operations that the scenarios need of any browser."""

    def script(self, text, *arguments):
        """Runs the body of a function in the page and returns its result."""
        raise NotImplementedError

    def act(self, actions):
        raise NotImplementedError

    def wait(self, text, *arguments, seconds=10, what=None):
        """Waits until the body of a function returns a true value, and returns that value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.script(text, *arguments)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"{what or text} did not come true within {seconds} s")

    def keys(self, *names):
        for name in names:
            key = KEYS.get(name, name)
            self.act([{"type": "key", "id": "keys", "actions": [
                {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}])

    def type(self, text):
        self.keys(*text)

    def pointer(self, x, y, *then):
        self.act([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "origin": "viewport", "x": round(x), "y": round(y)},
            *then]}])

    def click(self, x, y):
        self.pointer(x, y, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})


class Chromium(Browser):
    name = "Chromium"

    @staticmethod
    def missing():
        absent = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
        return f"{' and '.join(absent)} not found; install chromium and chromium-driver" if absent else None

    def __init__(self):
        port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}", "--log-level=OFF"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        for _ in range(500):
            try:
                if self.request("GET", "/status")["ready"]:
                    break
            except OSError:
                self.connection.close()
            time.sleep(0.02)
        capabilities = {
            "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio",
                "--autoplay-policy=no-user-gesture-required", "--window-size=1440,900",
                "--disable-background-networking", "--no-first-run", "--lang=en-US"]},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        session = self.request("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.path = f"/session/{session['sessionId']}"

    def request(self, method, path, body=None):
        self.connection.request(
            method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
        value = json.loads(self.connection.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise AssertionError(f"{value['error']}: {value['message']}")
        return value

    def command(self, path, **body):
        return self.request("POST", self.path + path, body)

    def cdp(self, method, **parameters):
        return self.command("/goog/cdp/execute", cmd=method, params=parameters)

    def open(self, address):
        self.command("/url", url=address)

    def script(self, text, *arguments):
        return self.command("/execute/sync", script=text, args=list(arguments))

    def act(self, actions):
        self.command("/actions", actions=actions)

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind="", **features):
        """Emulates a medium (print) or preferences, such as prefers_color_scheme="dark"."""
        self.cdp("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def screenshot(self):
        return base64.b64decode(self.cdp("Page.captureScreenshot", format="png")["data"])

    def errors(self):
        """Returns the console's messages since the previous call."""
        return [entry["message"] for entry in self.command("/se/log", type="browser")
                if entry["level"] in ("SEVERE", "WARNING") and "willReadFrequently" not in entry["message"]]

    def requests(self):
        """Returns the requested addresses since the previous call."""
        events = [json.loads(entry["message"])["message"] for entry in self.command("/se/log", type="performance")]
        return [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]

    def tree(self):
        """Returns the accessibility tree without ignored nodes: (role, name, properties)."""
        nodes = self.cdp("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", ""),
                 {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                 | {"value": node.get("value", {}).get("value")})
                for node in nodes if not node["ignored"] and "role" in node]

    def close(self):
        with contextlib.suppress(Exception):
            self.request("DELETE", self.path)
        self.driver.terminate()
        self.driver.wait()


class Firefox(Browser):
    name = "Firefox"

    @staticmethod
    def missing():
        return None if shutil.which("firefox-esr") else "firefox-esr not found; install it"

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="tessera-firefox-")
        port = free_port()
        preferences = {
            "marionette.port": port, "media.autoplay.default": 0, "media.autoplay.blocking_policy": 0,
            "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
            "app.update.disabledForTesting": True, "media.volume_scale": "0.0", "remote.prefs.recommended": True,
            "security.fileuri.strict_origin_policy": True,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
        (pathlib.Path(self.profile) / "user.js").write_text("".join(lines))
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "-remote-allow-system-access", "--profile", self.profile],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
                break
            except OSError:
                time.sleep(0.1)
        self.file = self.socket.makefile("rb")
        self.number = 0
        self.receive()
        self.command("WebDriver:NewSession", strictFileInteractability=True)

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            size += self.file.read(1)
        return json.loads(self.file.read(int(size[:-1])))

    def command(self, name, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            raise AssertionError(f"{error['error']}: {error['message']}")
        return result

    def open(self, address):
        self.command("WebDriver:Navigate", url=address)

    def script(self, text, *arguments):
        return self.command("WebDriver:ExecuteScript", script=text, args=list(arguments))["value"]

    def privileged(self, text):
        self.command("Marionette:SetContext", value="chrome")
        try:
            return self.script(text)
        finally:
            self.command("Marionette:SetContext", value="content")

    def act(self, actions):
        self.command("WebDriver:PerformActions", actions=actions)

    def resize(self, width, height):
        for _ in range(2):
            inner = self.script("return [innerWidth, innerHeight, outerWidth, outerHeight]")
            self.command(
                "WebDriver:SetWindowRect", width=width + inner[2] - inner[0], height=height + inner[3] - inner[1])

    def media(self, kind="", prefers_color_scheme="light"):
        dark = 0 if prefers_color_scheme == "dark" else 1
        self.privileged(f'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", {dark})')

    def screenshot(self):
        return base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False)["value"])

    def errors(self):
        messages = self.privileged("""
            const found = Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError
              && /^(file|http)/.test(one.sourceName) && !one.errorMessage.includes("scroll-linked")).map((one) => one.errorMessage);
            Services.console.reset();
            return found""")
        return messages

    def close(self):
        with contextlib.suppress(Exception):
            self.command("Marionette:Quit", flags=["eForceQuit"])
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


BROWSERS = {"chromium": Chromium, "firefox": Firefox}
