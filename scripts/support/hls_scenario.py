"""The scenario of scripts/test-hls: plays a folder for HTTP Live Streaming in every installed player."""

import argparse
import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from page_browser import Chromium
from page_scenario import server

CAPTIONS = "WEBVTT\n\n00:01.000 --> 00:03.000\nHello & welcome.\n\n00:04.000 --> 00:09.000\nThis lasts longer.\n"

# A page that plays a rung through Media Source Extensions and changes to another one after half of its segments, like
# a player that measures a faster or slower connection.
PAGE = """<!doctype html><meta charset="utf-8"><title>HLS</title><video muted></video><script>
const rungs = RUNGS, sound = SOUND, log = { errors: [], sizes: [], done: false };
const video = document.querySelector("video"), source = new MediaSource();
video.onerror = () => log.errors.push(video.error.message);
video.onresize = () => log.sizes.push(video.videoWidth + "x" + video.videoHeight);
const load = async (address) => (await fetch(address)).arrayBuffer();
const append = (buffer, bytes) => new Promise((done, fail) => {
  buffer.onupdateend = done; buffer.onerror = () => fail(new Error("a segment was refused")); buffer.appendBuffer(bytes); });
source.onsourceopen = async () => {
  try {
    const buffers = [source.addSourceBuffer(`video/mp4; codecs="${rungs[0].codecs[0]}"`)];
    if (sound) buffers.push(source.addSourceBuffer(`audio/mp4; codecs="${sound.codecs[0]}"`));
    const half = rungs[0].segments.length >> 1;
    for (const [number, rung] of [rungs[0], rungs[rungs.length - 1]].entries()) {
      if (number) buffers[0].changeType(`video/mp4; codecs="${rung.codecs[0]}"`);
      await append(buffers[0], await load(rung.head));
      for (const segment of number ? rung.segments.slice(half) : rung.segments.slice(0, half)) {
        await append(buffers[0], await load(segment)); } }
    if (sound) for (const address of [sound.head, ...sound.segments]) await append(buffers[1], await load(address));
    log.buffered = buffers.map((buffer) => [...Array(buffer.buffered.length).keys()]
      .map((n) => [buffer.buffered.start(n), buffer.buffered.end(n)]));
    source.endOfStream(); log.duration = source.duration; log.ready = true;
  } catch (error) { log.errors.push(String(error)); } };
video.src = URL.createObjectURL(source);
</script>"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def expect(holds, text):
    if not holds:
        raise AssertionError(text)


def attributes(line):
    return {name: value.strip('"') for name, value in re.findall(r'([A-Z0-9-]+)=("[^"]*"|[^,]*)', line)}


class Stream:
    """The content of a folder's playlists."""

    def __init__(self, folder):
        self.folder = folder
        lines = (folder / "master.m3u8").read_text().splitlines()
        self.rungs = [
            (attributes(line), self.media(lines[number + 1])) for number, line in enumerate(lines)
            if line.startswith("#EXT-X-STREAM-INF:")]
        media = [attributes(line) for line in lines if line.startswith("#EXT-X-MEDIA:")]
        self.sound = next((self.media(entry["URI"]) for entry in media if entry["TYPE"] == "AUDIO"), None)
        self.captions = [self.media(entry["URI"]) for entry in media if entry["TYPE"] == "SUBTITLES"]

    def media(self, address):
        lines = (self.folder / address).read_text().splitlines()
        folder = address.rpartition("/")[0]
        head = next((re.search('URI="(.*)"', line)[1] for line in lines if line.startswith("#EXT-X-MAP")), None)
        return {
            "address": address, "head": head and f"{folder}/{head}",
            "segments": [f"{folder}/{line}" for line in lines if line and not line.startswith("#")],
            "durations": [float(line[8:-1]) for line in lines if line.startswith("#EXTINF:")],
        }


def render(tessera, folder):
    captions = folder / "captions.vtt"
    captions.write_text(CAPTIONS)
    made = run(tessera, "render", "Fixtures/call", "-o", f"{folder}/web/", "--hls", "720p,480p,360p", "--layout", "speaker",
               "--captions-track", f"{captions}:language=eng,title=English", "--title", "A call", "--progress", "none")
    expect(made.returncode == 0, f"the render failed: {made.stderr}")
    return folder / "web"


def check_rules(stream):
    found = run(sys.executable, "scripts/check-hls", stream.folder)
    expect(found.returncode == 0, f"the folder is not what RFC 8216 demands:\n{found.stdout}{found.stderr}")


def check_ffmpeg(stream):
    """Checks that ffmpeg decodes all frames of every rung with the sound, without a message."""
    for entry, rung in stream.rungs:
        for address in (rung["address"], *([stream.sound["address"]] if stream.sound else [])):
            played = run("ffmpeg", "-v", "warning", "-xerror", "-i", stream.folder / address, "-f", "null", "-")
            expect(played.returncode == 0 and not played.stderr, f"ffmpeg plays {address}: {played.stderr}")
    for number in range(len(stream.rungs)):
        sound = ["-map", "0:a:0"] if stream.sound else []
        played = run("ffmpeg", "-v", "warning", "-xerror", "-i", stream.folder / "master.m3u8", "-map", f"0:v:{number}", *sound,
                     "-f", "null", "-")
        # FFmpeg's demuxer does not support WebVTT and prints a message.
        said = [line for line in played.stderr.splitlines() if "Can't support the subtitle" not in line]
        expect(played.returncode == 0 and not said, f"ffmpeg plays variant {number}: {said}")


def check_ffprobe(stream):
    """Compares sizes, rates, durations, bit rates and keyframes with measurements."""
    keyframes = []
    for entry, rung in stream.rungs:
        found = json.loads(run(
            "ffprobe", "-v", "error", "-show_entries", "stream=width,height,avg_frame_rate:packet=pts_time,size,flags,duration_time",
            "-select_streams", "v", "-of", "json", stream.folder / rung["address"], check=True).stdout)
        video, packets = found["streams"][0], found["packets"]
        expect(f"{video['width']}x{video['height']}" == entry["RESOLUTION"], f"{rung['address']}: {video}")
        numerator, denominator = map(int, video["avg_frame_rate"].split("/"))
        expect(abs(numerator / denominator - float(entry["FRAME-RATE"])) < 0.001, f"{rung['address']}: {video}")
        times = sorted(float(packet["pts_time"]) for packet in packets)
        frame = denominator / numerator
        expect(abs(times[0]) < 1e-3, f"{rung['address']} begins at {times[0]}")
        expect(abs(len(times) * frame - sum(rung["durations"])) < frame, f"{rung['address']} has {len(times)} frames")
        gaps = [after - before for before, after in zip(times, times[1:])]
        expect(all(abs(gap - frame) < 2e-3 for gap in gaps), f"{rung['address']}: frames are {min(gaps)} to {max(gaps)} s apart")
        keyframes.append([round(float(packet["pts_time"]), 3) for packet in packets if "K" in packet["flags"]])
        media = sum(int(packet["size"]) for packet in packets) * 8 / sum(rung["durations"])
        told = int(entry["AVERAGE-BANDWIDTH"])
        expect(media < told <= int(entry["BANDWIDTH"]), f"{rung['address']}: {media:.0f} bits of pictures a second, {told} told")
    expect(all(times == keyframes[0] for times in keyframes), f"keyframes are not at equal times: {keyframes}")
    starts = [0.0]
    for duration in stream.rungs[0][1]["durations"][:-1]:
        starts.append(starts[-1] + duration)
    expect(all(any(abs(time - start) < 2e-3 for time in keyframes[0]) for start in starts), "a segment begins without a keyframe")


def check_gstreamer(stream):
    """Plays the master playlist and each rung's own to the end, without a warning."""
    program = shutil.which("gst-launch-1.0")
    if not program or run("gst-inspect-1.0", "--exists", "hlsdemux").returncode:
        return "not installed"
    addresses = ["master.m3u8"] + [rung["address"] for _, rung in stream.rungs]
    with server(stream.folder) as origin:
        for address in addresses:
            # Without souphttpsrc, play from files.
            http = run("gst-inspect-1.0", "--exists", "souphttpsrc").returncode == 0
            place = f"{origin}/{address}" if http else (stream.folder / address).as_uri()
            played = run(program, "playbin", f"uri={place}", "video-sink=fakesink sync=false", "audio-sink=fakesink sync=false",
                         "flags=video+audio+soft-volume", timeout=300)
            text = played.stdout + played.stderr
            expect(played.returncode == 0 and "Got EOS" in text, f"GStreamer plays {address}: {text[-600:]}")
            expect(not re.search("WARNING|CRITICAL|ERROR", text), f"GStreamer plays {address}: {text[-600:]}")
    return None


def check_chromium(stream):
    """Plays all segments of one rung up to the middle and of another from there, with the sound."""
    missing = Chromium.missing()
    if missing:
        return missing
    rungs = [dict(rung, codecs=entry["CODECS"].split(",")) for entry, rung in stream.rungs]
    sound = stream.sound and dict(stream.sound, codecs=rungs[0]["codecs"][1:])
    page = PAGE.replace("RUNGS", json.dumps(rungs), 1).replace("SOUND", json.dumps(sound), 1)
    (stream.folder / "test.html").write_text(page)
    with contextlib.ExitStack() as stack:
        stack.callback((stream.folder / "test.html").unlink)
        origin = stack.enter_context(server(stream.folder))
        browser = Chromium()
        stack.callback(browser.close)
        browser.open(f"{origin}/test.html")
        browser.wait("return log.ready || log.errors.length", seconds=60, what="all segments")
        log = browser.script("return log")
        expect(not log["errors"], f"Chromium: {log['errors']}")
        total = sum(rungs[0]["durations"])
        for ranges in log["buffered"]:
            expect(len(ranges) == 1, f"Chromium has gaps: {ranges}")
            expect(ranges[0][0] < 0.1 and abs(ranges[0][1] - total) < 0.1, f"Chromium has {ranges} of {total} s")
        browser.script("video.playbackRate = 8; video.play()")
        browser.wait("return video.ended || log.errors.length", seconds=120, what="the end of the video")
        log = browser.script("return log")
        first, last = stream.rungs[0][0]["RESOLUTION"], stream.rungs[-1][0]["RESOLUTION"]
        expect(not log["errors"], f"Chromium: {log['errors']}")
        expect(log["sizes"] == ([first, last] if first != last else [first]), f"Chromium showed {log['sizes']}")
        expect(not [line for line in browser.errors() if "favicon" not in line], "Chromium's console is not empty")
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tessera", help="the program that renders")
    parser.add_argument("--folder", type=pathlib.Path, help="a finished folder, instead of a render")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or render(options.tessera, pathlib.Path(temporary))
        stream = Stream(folder.resolve())
        for name, check in (("RFC 8216", check_rules), ("ffmpeg", check_ffmpeg), ("ffprobe", check_ffprobe),
                            ("GStreamer", check_gstreamer), ("Chromium", check_chromium)):
            skipped = check(stream)
            print(f"test-hls: {name}: {'skipped: ' + skipped if skipped else 'passed'}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"test-hls: {error}")
