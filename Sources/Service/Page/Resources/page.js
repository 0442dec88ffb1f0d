// The page of a composed call. All data is in the document. Text from recordings is only inserted as
// text, never as markup. Times are milliseconds; a list of spans is [start, end, start, end, …].
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const people = data.people;
  // Only a page for editors has cuts.
  const isEditing = Array.isArray(data.cuts);
  $("page").hidden = document.querySelector(".tools").hidden = false;
  // Very long names would slow down the layout.
  const clip = (text, most) => (text.length > most ? text.slice(0, most) + "…" : text);
  for (const person of people) person.name = clip(person.name, 200);
  const style = getComputedStyle(document.documentElement);
  const ink = (name) => style.getPropertyValue("--" + name).trim();

  // --- Text and numbers ---

  const two = (number) => String(number).padStart(2, "0");

  function clock(ms, tenths = false) {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    const rest = Math.floor(seconds / 60) % 60;
    const tail = two(seconds % 60) + (tenths ? "." + Math.floor((ms % 1000) / 100) : "");
    return seconds >= 3600
      ? Math.floor(seconds / 3600) + ":" + two(rest) + ":" + tail
      : rest + ":" + tail;
  }

  /** A length to the nearest second: a clock truncates. */
  function lasting(ms) { return clock(1000 * Math.round(ms / 1000)); }

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function say(text) { $("status").textContent = text; }

  /** Preferences that all pages share. A browser may forbid storing them. */
  const choices = {
    get(name) { try { return localStorage.getItem("tessera-" + name); } catch { return null; } },
    set(name, value) { try { localStorage.setItem("tessera-" + name, value); } catch { /* not stored */ } },
  };

  const { length } = Strikes;

  /** The index of the last of `count` sorted starts that is at or before `time`; -1 if there is none. */
  function lastAt(time, count, start) {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start(middle) <= time) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  const within = (spans, time) => {
    const index = lastAt(time, spans.length / 2, (span) => spans[2 * span]);
    return index >= 0 && time < spans[2 * index + 1] ? index : -1;
  };

  // --- The transcript's lines: [person, start, end, text] ---

  const lines = [];
  {
    let time = 0;
    for (const [person, after, lasts, text] of data.lines) {
      time += after;
      lines.push({ person, start: time, end: time + lasts, text });
    }
  }
  const nameOf = (person) => people[person]?.name ?? data.speakers[person - people.length] ?? "";
  // Spans are delta-encoded.
  for (const person of people) {
    for (const key of ["present", "camera", "microphone", "speaking", "screen", "lost", "faults"]) {
      let sum = 0;
      person[key] = person[key].map((distance) => (sum += distance));
    }
  }
  // The spans in which the output deviates from the composed call; null if it was not verified.
  const faults = data.faults && [];
  for (const distance of data.faults ?? []) faults.push((faults.at(-1) ?? 0) + distance);
  const turns = [];
  {
    let time = 0;
    for (let index = 0; index < data.turns.length; index += 3) {
      const [person, after, lasts] = data.turns.slice(index, index + 3);
      turns.push({ person, start: time + after, end: time + after + lasts });
      time += after + lasts;
    }
  }

  // --- The player ---

  const media = element(data.media.kind === "audio" ? "audio" : "video");
  media.controls = true;
  media.preload = "metadata";
  media.playsInline = true;
  if (data.media.poster) media.poster = data.media.poster;
  media.src = data.media.src;
  $("player").append(media);

  const now = () => 1000 * media.currentTime;

  function seek(ms, reason) {
    const time = Math.max(0, Math.min(data.duration, ms));
    // One millisecond more selects the frame that starts at this time instead of the previous one.
    media.currentTime = (time + 1) / 1000;
    if (reason) say(reason + ", " + clock(time));
    follow(time);
  }

  function togglePlay() { if (media.paused) media.play().catch(() => {}); else media.pause(); }

  /** The BCP 47 tag of an ISO 639-2 language code: `de` for `deu` and `ger`. */
  function languageTag(code) {
    try { return Intl.getCanonicalLocales(code)[0]; } catch { return "und"; }
  }

  const languageNames = new Intl.DisplayNames(["en"], { type: "language" });

  const tracks = data.tracks.map((track) => {
    const tag = languageTag(track.language);
    const label = track.label === track.language ? languageNames.of(tag) : clip(track.label, 60);
    const made = media.addTextTrack("captions", label, tag);
    $("captions").append(element("option", label, { value: $("captions").length }));
    for (const [start, end, text] of track.cues) {
      // The text is not markup, so it is escaped for WebVTT.
      const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      made.addCue(new VTTCue(start / 1000, Math.max(end, start + 1) / 1000, escaped));
    }
    made.mode = "disabled";
    return made;
  });

  $("captions").prepend(element("option", "off", { value: "", selected: "" }));
  let captionsLast = "0";

  /** Shows the captions with the index `chosen`; none for "". */
  function showCaptions(chosen) {
    tracks.forEach((track, index) => { track.mode = String(index) === chosen ? "showing" : "disabled"; });
    $("captions").value = chosen;
    if (chosen) captionsLast = chosen;
  }

  // The browser's controls can also select captions.
  media.textTracks.addEventListener("change", () => {
    const chosen = tracks.findIndex((track) => track.mode === "showing");
    $("captions").value = chosen < 0 ? "" : chosen;
  });

  const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
  for (const speed of speeds) {
    $("speed").append(element("option", speed + "×", { value: speed }));
  }
  $("speed").value = "1";

  function changeSpeed(by) {
    const index = speeds.indexOf(Number($("speed").value)) + by;
    if (index < 0 || index >= speeds.length) return;
    $("speed").value = String(speeds[index]);
    media.playbackRate = speeds[index];
    say("Speed " + speeds[index]);
  }

  function turn(by) {
    const time = now();
    const index = lastAt(time + 1, turns.length, (number) => turns[number].start);
    // Within the first second of a turn, going back leads to the previous turn.
    const isEarly = index >= 0 && time - turns[index].start < 1000;
    const wanted = by > 0 ? index + 1 : isEarly ? index - 1 : index;
    const found = turns[Math.max(0, wanted)];
    if (found && (by < 0 || wanted < turns.length)) seek(found.start, nameOf(found.person));
  }

  // --- Canvases ---

  /** Prepares `canvas` for drawing in CSS pixels. */
  function surface(canvas) {
    const box = canvas.parentElement.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.max(1, box.width), Math.max(1, box.height)];
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height };
  }

  /** Fills the visible part of `spans`. Spans within one pixel are merged. */
  function fillSpans(context, spans, view, width, top, height, least = 1) {
    const scale = width / (view.end - view.start);
    let index = Math.max(0, lastAt(view.start, spans.length / 2, (span) => spans[2 * span]));
    let [left, right] = [NaN, NaN];
    const flush = () => { if (right > left) context.fillRect(left, top, right - left, height); };
    for (; index < spans.length / 2 && spans[2 * index] < view.end; index += 1) {
      const from = Math.max(0, (spans[2 * index] - view.start) * scale);
      const to = Math.min(width, Math.max(from + least, (spans[2 * index + 1] - view.start) * scale));
      if (from <= right + 0.5) right = Math.max(right, to);
      else { flush(); [left, right] = [from, to]; }
    }
    flush();
  }

  const whole = { start: 0, end: Math.max(1, data.duration) };
  let view = { ...whole };
  const laneHeight = 34;
  const axisHeight = 24;
  const colors = ["#2563eb", "#c2570c", "#15803d", "#9333ea", "#be185d", "#0e7490", "#a16207", "#4d7c0f"];

  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];

  function drawAxis(context, width, height) {
    const span = view.end - view.start;
    const step = 1000 * (steps.find((seconds) => (width * 1000 * seconds) / span >= 72) || 14400);
    context.font = "12px system-ui, sans-serif";
    for (let time = Math.ceil(view.start / step) * step; time <= view.end; time += step) {
      const x = ((time - view.start) / span) * width;
      context.fillStyle = ink("line");
      context.fillRect(x, axisHeight, 1, height - axisHeight);
      context.fillStyle = ink("soft");
      context.textAlign = x < 24 ? "left" : x > width - 24 ? "right" : "center";
      context.fillText(clock(time), x, 16);
    }
  }

  function drawLanes() {
    const chart = $("chart");
    chart.style.height = axisHeight + laneHeight * (people.length + (faults ? 1 : 0)) + "px";
    const { context, width, height } = surface(chart.firstElementChild);
    drawAxis(context, width, height);
    people.forEach((person, index) => {
      const top = axisHeight + laneHeight * index;
      context.fillStyle = ink("line");
      context.fillRect(0, top, width, 1);
      const rows = [
        ["present", person.present, 4, 26], ["floor", person.turns, 5, 13], ["speaking", person.speaking, 7, 9],
        ["camera", person.camera, 20, 3], ["microphone", person.microphone, 24, 3],
        ["screen", person.screen, 28, 3], ["loss", person.lost, 4, 3],
        ["loss", person.faults, 13, 6],
      ];
      for (const [name, spans, from, size] of rows) {
        const isOwn = name === "floor" || name === "speaking";
        context.globalAlpha = name === "floor" ? 0.35 : 1;
        context.fillStyle = isOwn ? colors[index % colors.length] : ink(name);
        fillSpans(context, spans, view, width, top + from, size);
        context.globalAlpha = 1;
      }
    });
    if (faults) {
      const top = axisHeight + laneHeight * people.length;
      context.fillStyle = ink("line");
      context.fillRect(0, top, width, 1);
      context.fillStyle = ink("microphone");
      context.fillRect(0, top + 13, width, 8);
      context.fillStyle = ink("loss");
      fillSpans(context, faults, view, width, top + 6, 22);
    }
    const scale = width / (view.end - view.start);
    context.fillStyle = ink("accent");
    for (const hit of hits.list) {
      const x = (lines[hit].start - view.start) * scale;
      if (x >= 0 && x <= width) context.fillRect(x - 1, axisHeight - 5, 2, 5);
    }
    const x = (now() - view.start) * scale;
    context.fillStyle = ink("ink");
    context.fillRect(x - 1, 0, 2, height);
  }

  function drawSeek() {
    const { context, width, height } = surface($("seek").firstElementChild);
    context.fillStyle = ink("present");
    context.fillRect(0, 0, width, height);
    people.forEach((person, index) => {
      context.fillStyle = colors[index % colors.length];
      fillSpans(context, person.turns, whole, width, 5, height - 12);
    });
    context.fillStyle = ink("ink");
    for (const [time] of data.chapters) {
      context.fillRect((time / whole.end) * width, height - 6, 2, 6);
    }
    context.fillStyle = ink("accent");
    for (const hit of hits.list) {
      context.fillRect((lines[hit].start / whole.end) * width - 1, 0, 2, 5);
    }
    context.fillStyle = ink("ink");
    context.fillRect((now() / whole.end) * width - 1.5, 0, 3, height);
  }

  let isDrawn = true;
  function redraw() {
    if (!isDrawn) return;
    isDrawn = false;
    requestAnimationFrame(() => { isDrawn = true; drawSeek(); drawLanes(); });
  }

  function zoom(factor, middle = now()) {
    const span = Math.min(whole.end, Math.max(2000, (view.end - view.start) * factor));
    const share = (middle - view.start) / (view.end - view.start);
    const at = share >= 0 && share <= 1 ? share : 0.5;
    const start = Math.max(0, Math.min(whole.end - span, middle - at * span));
    view = { start, end: start + span };
    redraw();
  }

  /** Scrolls the view to the playhead at `time` if it is not visible. */
  function keepInView(time) {
    const span = view.end - view.start;
    if (span >= whole.end || (time >= view.start && time <= view.end)) return;
    const start = Math.max(0, Math.min(whole.end - span, time - span / 10));
    view = { start, end: start + span };
  }

  // --- The transcript: only the visible lines are in the document ---

  const list = $("lines");
  const space = list.firstElementChild;
  const shown = new Map();
  let heights = new Float64Array(0);
  // A Fenwick tree over the heights of lines (P. M. Fenwick, "A New Data Structure for Cumulative
  // Frequency Tables", 1994).
  let sums = new Float64Array(0);
  let active = -1;
  let isFollowing = true;
  let followedUntil = 0;
  // The line in the tab order.
  let cursor = 0;
  // True while the reader navigates the lines by keyboard. The list then does not follow the playhead.
  let isReading = false;

  function addHeight(line, by) {
    for (let index = line + 1; index < sums.length; index += index & -index) sums[index] += by;
  }

  function top(line) {
    let sum = 0;
    for (let index = line; index > 0; index -= index & -index) sum += sums[index];
    return sum;
  }

  /** The index of the line at `y` pixels from the top of the list. */
  function lineAt(y) {
    let [index, rest] = [0, y];
    let step = 1 << Math.floor(Math.log2(Math.max(1, sums.length - 1)));
    for (; step > 0; step >>= 1) {
      if (index + step < sums.length && sums[index + step] <= rest) {
        index += step;
        rest -= sums[index];
      }
    }
    return Math.min(lines.length - 1, index);
  }

  const beginsTurn = (line) => line === 0 || lines[line - 1].person !== lines[line].person;

  function measure() {
    const columns = Math.max(20, (list.clientWidth - 32) / 7.4);
    heights = Float64Array.from(lines, (line, index) =>
      10 + 22.5 * Math.max(1, Math.ceil(line.text.length / columns)) + (beginsTurn(index) ? 20 : 0));
    sums = new Float64Array(lines.length + 1);
    for (let index = 1; index < sums.length; index += 1) {
      sums[index] += heights[index - 1];
      const parent = index + (index & -index);
      if (parent < sums.length) sums[parent] += sums[index];
    }
    space.style.height = top(lines.length) + "px";
    remakeLines();
  }

  function remakeLines() {
    const hasFocus = list.contains(document.activeElement);
    for (const made of shown.values()) made.remove();
    shown.clear();
    renderLines();
    if (hasFocus) shown.get(cursor)?.focus({ preventScroll: true });
  }

  /** Returns `text` as a fragment with the search hits marked. */
  function marked(text) {
    const parts = document.createDocumentFragment();
    const folded = hits.query ? fold(text) : null;
    let from = 0;
    // If case folding changes the length, hits cannot be located, and only the line is highlighted.
    while (folded !== null && folded.length === text.length) {
      const found = folded.indexOf(hits.query, from);
      if (found < 0) break;
      parts.append(text.slice(from, found), element("mark", text.slice(found, found + hits.query.length)));
      from = found + hits.query.length;
    }
    parts.append(text.slice(from));
    return parts;
  }

  const longest = 4000;

  function makeLine(index) {
    const line = lines[index];
    const made = element("div", undefined, {
      class: "line", role: "article", "aria-posinset": index + 1, "aria-setsize": lines.length,
    });
    made.dataset.line = index;
    if (beginsTurn(index)) {
      const head = element("b");
      head.append(element("bdi", nameOf(line.person)), element("time", clock(line.start)));
      made.append(head);
    }
    const text = element("p");
    text.append(marked(clip(line.text, longest)));
    made.append(text);
    if (isEditing) {
      made.append(element("button", undefined, { type: "button", class: "strike" }));
      showStrike(made, index);
    }
    markLine(made, index);
    return made;
  }

  /** Updates the line's active state and its place in the tab order. */
  function markLine(made, index) {
    made.classList.toggle("active", index === active);
    if (index === active) made.setAttribute("aria-current", "true"); else made.removeAttribute("aria-current");
    for (const one of [made, ...made.querySelectorAll("button")]) one.tabIndex = index === cursor ? 0 : -1;
  }

  function moveCursor(line) {
    if (!lines[line] || line === cursor) return;
    const before = cursor;
    cursor = line;
    for (const index of [before, line]) if (shown.has(index)) markLine(shown.get(index), index);
  }

  /** Moves the focus to the line `number`, clamped to the existing lines. */
  function toLine(number) {
    const line = Math.max(0, Math.min(lines.length - 1, number));
    isReading = true;
    moveCursor(line);
    // Heights are estimates until lines are laid out, so a second round corrects them.
    for (let round = 0; round < 2; round += 1) {
      const [from, to] = [top(line), top(line) + heights[line]];
      if (from < list.scrollTop) list.scrollTop = from;
      else if (to > list.scrollTop + list.clientHeight) list.scrollTop = to - list.clientHeight;
      renderLines();
    }
    shown.get(line).scrollIntoView({ block: "nearest" });
    shown.get(line).focus({ preventScroll: true });
  }

  /** True if a line, or an element in it, has the focus. */
  const isInLines = () => list.contains(document.activeElement) && document.activeElement !== list;

  function playLine(line) {
    isReading = false;
    isFollowing = true;
    seek(lines[line].start, nameOf(lines[line].person));
    media.play().catch(() => {});
  }

  function renderLines() {
    if (lines.length === 0) return;
    const first = Math.max(0, lineAt(list.scrollTop) - 3);
    const bottom = list.scrollTop + list.clientHeight;
    let last = first;
    const offset = top(first);
    let y = offset;
    while (last < lines.length && y < bottom + 150) { y += heights[last]; last += 1; }
    for (const [index, made] of shown) {
      if ((index < first || index >= last) && index !== cursor) { made.remove(); shown.delete(index); }
    }
    const added = [];
    const wanted = Array.from({ length: last - first }, (_, place) => first + place);
    if (cursor < first) wanted.unshift(cursor); else if (cursor >= last) wanted.push(cursor);
    for (const index of wanted) {
      if (shown.has(index)) continue;
      const made = makeLine(index);
      shown.set(index, made);
      added.push(index);
      const after = [...shown.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
      list.insertBefore(made, after === undefined ? null : shown.get(after));
    }
    // Heights are read together, so that the browser computes the layout once.
    const measured = added.map((index) => shown.get(index).offsetHeight);
    added.forEach((index, place) => {
      const difference = measured[place] - heights[index];
      if (Math.abs(difference) < 0.5) return;
      heights[index] = measured[place];
      addHeight(index, difference);
    });
    y = top(first);
    // Corrected heights above the view must not move the visible lines.
    if (Math.abs(y - offset) > 0.5) list.scrollTop += y - offset;
    for (const index of wanted) {
      const isInside = index >= first && index < last;
      shown.get(index).style.transform = "translateY(" + (isInside ? y : top(index)) + "px)";
      if (isInside) y += heights[index];
    }
    space.style.height = top(lines.length) + "px";
  }

  function reveal(line) {
    followedUntil = performance.now() + 400;
    list.scrollTop = Math.max(0, top(line) - list.clientHeight / 3);
    renderLines();
  }

  // --- Striking lines: a struck line is cut, or its speaker muted while others speak ---

  const struck = new Set();
  /** The cuts that result from struck lines, and whether the edits file was saved. */
  const strikes = { cut: [], isSaved: true };

  function showStrike(made, index) {
    const isStruck = struck.has(index);
    made.classList.toggle("struck", isStruck);
    const button = made.querySelector(".strike");
    button.textContent = isStruck ? "Keep" : "Strike";
    button.setAttribute("aria-label", (isStruck ? "Keep: " : "Strike: ") + clip(lines[index].text, 60));
  }

  /** The cuts and mutes. Pauses during shared screens stay, because the screen may move. */
  const edits = () => Strikes.decide(
    lines, (index) => struck.has(index), people.map((person) => person.speaking),
    people.flatMap((person) => person.screen));

  /** Converts spans of the output to spans of the call. */
  function inCall(spans) {
    const holes = data.cuts.flatMap(([from, to]) => [from, to]);
    const call = (time, isEnd) => {
      for (let index = 0; index < holes.length; index += 2) {
        if (isEnd ? holes[index] < time : holes[index] <= time) time += holes[index + 1] - holes[index];
      }
      return time;
    };
    return Strikes.without(spans.map((time, index) => call(time, index % 2 === 1)), holes);
  }

  /** The file for --edits: the existing cuts and those of struck lines. */
  function editsFile() {
    const seconds = (time) => (time / 1000).toFixed(3);
    const parts = (spans, rest) => {
      const all = [];
      for (let index = 0; index < spans.length; index += 2) {
        all.push("  - { " + rest[0] + "from: " + seconds(spans[index]) + ", to: "
          + seconds(spans[index + 1]) + rest[1] + " }");
      }
      return all;
    };
    const { cut, mute } = edits();
    const cuts = data.cuts.flatMap(([from, to, reason]) =>
      parts([from, to], ["", ", reason: " + Strikes.quoted(reason)]))
      .concat(parts(inCall(cut), ["", ", reason: struck on the page"]));
    const mutes = mute.flatMap(([person, spans]) =>
      parts(inCall(spans), ["person: " + Strikes.quoted(people[person].id) + ", ", ""]));
    const list = (name, all) => (all.length ? [name + ":", ...all] : []);
    return ["version: 1", ...list("cut", cuts), ...list("mute", mutes)].join("\n") + "\n";
  }

  function tellStrikes() {
    strikes.cut = edits().cut;
    strikes.isSaved = struck.size === 0;
    $("strikes").hidden = struck.size === 0;
    $("struck").textContent = struck.size + (struck.size === 1 ? " line" : " lines") + " struck, "
      + clock(length(strikes.cut), true) + " shorter";
    for (const [index, made] of shown) showStrike(made, index);
  }

  function toggleStrike(index) {
    if (!lines[index]) return;
    if (!struck.delete(index)) struck.add(index);
    tellStrikes();
    say((struck.has(index) ? "Struck: " : "Kept: ") + clip(lines[index].text, 200));
  }

  function saveEdits() {
    const link = element("a", undefined, { download: "edits.yaml" });
    link.href = URL.createObjectURL(new Blob([editsFile()], { type: "application/yaml" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    strikes.isSaved = true;
    say("edits.yaml was downloaded. Give it to tessera render with --edits");
  }

  // --- Search ---

  const hits = { query: "", list: [], place: -1 };
  const fold = (text) => text.normalize("NFC").toLowerCase();
  let folded = null;

  function search(query) {
    hits.query = fold(query.trim());
    hits.list = [];
    hits.place = -1;
    if (hits.query) {
      folded = folded || lines.map((line) => fold(line.text));
      folded.forEach((text, index) => { if (text.includes(hits.query)) hits.list.push(index); });
    }
    remakeLines();
    tellHits();
    redraw();
  }

  function tellHits() {
    const count = hits.list.length;
    $("hits").textContent =
      !hits.query ? "" : count === 0 ? "none" : hits.place < 0 ? String(count) : hits.place + 1 + " of " + count;
  }

  function toHit(by) {
    const count = hits.list.length;
    if (count === 0) return;
    if (hits.place < 0) {
      const after = hits.list.findIndex((line) => lines[line].start >= now() - 1);
      hits.place = by > 0 ? Math.max(0, after) : (after <= 0 ? count : after) - 1;
    } else {
      hits.place = (hits.place + by + count) % count;
    }
    const line = hits.list[hits.place];
    seek(lines[line].start, "Hit " + (hits.place + 1) + " of " + count);
    reveal(line);
    tellHits();
  }

  // --- Elements that follow the playhead ---

  function follow(time = now()) {
    $("clock").textContent = clock(time) + " / " + clock(data.duration);
    $("seek").setAttribute("aria-valuenow", Math.round(time / 1000));
    $("seek").setAttribute("aria-valuetext", clock(time) + " of " + clock(data.duration));
    const found = lastAt(time + 1, lines.length, (line) => lines[line].start);
    if (found !== active) {
      const before = active;
      active = found;
      if (!isInLines()) moveCursor(Math.max(0, active));
      for (const index of [before, active]) if (shown.has(index)) markLine(shown.get(index), index);
      if (isFollowing && !isReading && active >= 0) reveal(active);
    }
    const chapter = lastAt(time + 1, data.chapters.length, (index) => data.chapters[index][0]);
    [...$("chapters").querySelectorAll("button")].forEach((button, index) => {
      if (index === chapter) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    keepInView(time);
    redraw();
  }

  function tick() {
    // Playback skips struck lines, so that the cut can be heard.
    const cut = media.paused ? -1 : within(strikes.cut, now());
    if (cut >= 0) media.currentTime = (strikes.cut[2 * cut + 1] + 1) / 1000;
    if ($("quiet").checked && !media.paused) {
      const index = within(data.silence, now());
      // A part of the silence stays, so that words do not run together.
      if (index >= 0 && now() > data.silence[2 * index] + 300) {
        const end = data.silence[2 * index + 1] - 200;
        if (end > now() + 200) media.currentTime = end / 1000;
      }
    }
    follow();
    if (!media.paused) requestAnimationFrame(tick);
  }

  for (const name of ["play", "pause", "ended"]) {
    media.addEventListener(name, () => {
      $("play").textContent = media.paused ? "Play" : "Pause";
      $("play").setAttribute("aria-label", media.paused ? "Play" : "Pause");
      if (!media.paused) requestAnimationFrame(tick);
    });
  }
  for (const name of ["seeked", "timeupdate", "loadedmetadata"]) {
    media.addEventListener(name, () => follow());
  }

  /** Reports errors that a browser hides: a missing recording, or pictures that it cannot decode. */
  function showTrouble() {
    const hasNoPicture = data.media.kind === "video" && media.readyState >= 2 && media.videoWidth === 0;
    const text = media.error
      ? "The recording cannot be played: its file is missing, or this browser does not support its format. "
      : hasNoPicture
        ? "This browser plays the sound, but cannot show the picture: it does not support its format. "
          + "Another browser or a player may show it. "
        : "";
    $("trouble").hidden = !text;
    if (!text) return $("trouble").replaceChildren();
    const name = data.media.src.split("/").at(-1);
    let shownName = name;
    try { shownName = decodeURIComponent(name); } catch { /* not encoded */ }
    $("trouble").replaceChildren(text, element("a", "Open " + clip(shownName, 100), { href: data.media.src }));
  }
  for (const name of ["error", "loadeddata", "resize", "playing"]) media.addEventListener(name, showTrouble);

  // --- Thumbnails under the pointer ---

  function showThumb(event, time) {
    const box = $("thumb");
    const stage = box.parentElement.getBoundingClientRect();
    const picture = box.firstElementChild;
    const thumbs = data.thumbs;
    picture.hidden = !thumbs;
    if (thumbs) {
      const index = Math.min(thumbs.count - 1, Math.floor(time / thumbs.step));
      const [column, row] = [index % thumbs.columns, Math.floor(index / thumbs.columns)];
      Object.assign(picture.style, {
        width: thumbs.width + "px", height: thumbs.height + "px",
        backgroundImage: 'url("' + thumbs.src + '")',
        backgroundPosition: -column * thumbs.width + "px " + -row * thumbs.height + "px",
      });
    }
    const speaker = turns.findLast((turn) => turn.start <= time && time < turn.end);
    box.lastElementChild.textContent = clock(time) + (speaker ? " · " + nameOf(speaker.person) : "");
    box.hidden = false;
    const half = box.offsetWidth / 2;
    const x = Math.max(half, Math.min(stage.width - half, event.clientX - stage.left));
    box.style.left = x + "px";
    box.style.top = event.currentTarget.getBoundingClientRect().top - stage.top - 6 + "px";
  }

  function timeAt(target, event, part) {
    const box = target.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return part.start + share * (part.end - part.start);
  }

  for (const [id, part] of [["seek", () => whole], ["chart", () => view]]) {
    const target = $(id);
    target.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      seek(timeAt(target, event, part()));
      if (id === "seek") target.setPointerCapture(event.pointerId);
    });
    target.addEventListener("pointermove", (event) => {
      const time = timeAt(target, event, part());
      if (target.hasPointerCapture(event.pointerId)) seek(time);
      showThumb(event, time);
    });
    target.addEventListener("pointerleave", () => { $("thumb").hidden = true; });
  }

  $("chart").addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt($("chart"), event, view));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      const span = view.end - view.start;
      const by = (event.deltaX / $("chart").clientWidth) * span;
      const start = Math.max(0, Math.min(whole.end - span, view.start + by));
      view = { start, end: start + span };
      redraw();
    }
  }, { passive: false });

  // --- Tabs ---

  const tabs = [...document.querySelectorAll('[role="tab"]')];

  function openTab(tab) {
    for (const other of tabs) {
      const isOpen = other === tab;
      other.setAttribute("aria-selected", isOpen);
      other.tabIndex = isOpen ? 0 : -1;
      $(other.getAttribute("aria-controls")).hidden = !isOpen;
    }
    if (tab.id === "tab-transcript") renderLines();
  }

  for (const tab of tabs) {
    tab.addEventListener("click", () => openTab(tab));
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const open = tabs.filter((other) => !other.hidden);
      const next = open[(open.indexOf(tab) + by + open.length) % open.length];
      openTab(next);
      next.focus();
    });
  }

  function timed(time, text) {
    const button = element("button", undefined, { type: "button" });
    button.append(element("time", clock(time)), element("span", clip(text, longest), { dir: "auto" }));
    button.addEventListener("click", () => seek(time, clip(text, 200)));
    const item = element("li");
    item.append(button);
    return item;
  }

  function fillTabs() {
    for (const [time, title] of data.chapters) $("chapters").firstElementChild.append(timed(time, title));
    for (const note of data.notes) {
      const text = note.person === undefined ? note.text : nameOf(note.person) + ": " + note.text;
      $("notes").firstElementChild.append(
        note.time === undefined ? element("li", clip(text, longest)) : timed(note.time, text));
    }
    for (const file of data.files) {
      const item = element("li");
      item.append(element("a", file.name, { href: file.href }), " " + file.facts);
      $("files").firstElementChild.append(item);
    }
    const counts = { chapters: data.chapters, notes: data.notes, files: data.files, transcript: lines };
    for (const tab of tabs) tab.hidden = counts[tab.getAttribute("aria-controls")].length === 0;
    const first = tabs.find((tab) => !tab.hidden);
    if (first) openTab(first); else document.querySelector(".side").hidden = true;
  }

  // --- The people ---

  const clockWords = (ms) => {
    const seconds = Math.round(ms / 1000);
    return seconds < 60 ? seconds + " s" : Math.floor(seconds / 60) + " min " + (seconds % 60) + " s";
  };

  function fillPeople() {
    const all = people.reduce((sum, person) => sum + length(person.speaking), 0);
    people.forEach((person, index) => {
      person.turns = [];
      for (const turn of turns) if (turn.person === index) person.turns.push(turn.start, turn.end);
      const spoken = length(person.speaking);
      const share = all > 0 ? Math.round((100 * spoken) / all) : 0;
      const item = element("li");
      const name = element("button", person.name, {
        type: "button", title: person.name, dir: "auto", "aria-describedby": "person-" + index,
      });
      name.addEventListener("click", () => {
        const own = person.isScreenOnly ? person.screen : person.turns;
        const starts = own.filter((_, place) => place % 2 === 0);
        const next = starts.find((start) => start > now() + 1) ?? starts[0];
        if (next !== undefined) seek(next, person.name);
      });
      const count = person.turns.length / 2;
      person.spoke = "spoke for " + clockWords(spoken) + ", " + share + " % of all speech, in "
        + count + (count === 1 ? " turn" : " turns");
      const parts = person.isScreenOnly ? [] : [
        "present for " + clockWords(length(person.present)),
        "camera on for " + clockWords(length(person.camera)),
        "microphone on for " + clockWords(length(person.microphone)), person.spoke,
      ];
      if (person.screen.length) parts.push("shared a screen for " + clockWords(length(person.screen)));
      if (person.lost.length) parts.push(clockWords(length(person.lost)) + " lost");
      const dot = element("i", undefined, { "aria-hidden": "true" });
      dot.style.background = colors[index % colors.length];
      item.append(
        dot, name, element("span", person.isScreenOnly ? "screen" : lasting(spoken) + " · " + share + " %",
          { "aria-hidden": "true" }),
        element("span", parts.join("; "), { id: "person-" + index, class: "unseen" }));
      $("names").append(item);
    });
    for (const item of document.querySelectorAll(".legend li")) {
      item.hidden = !people.some((person) => person[item.dataset.of].length) && !(item.dataset.of === "faults" && faults?.length);
    }
    if (!faults) return;
    const count = data.notes.filter((note) => note.text.startsWith("not as composed")).length;
    const item = element("li");
    item.append(
      element("b", "Verified"),
      element("span", count ? count + (count === 1 ? " deviation" : " deviations") : "as composed"));
    $("names").append(item);
  }

  // --- Links to a moment ---

  function readLink() {
    const values = new URLSearchParams(location.hash.slice(1));
    const query = values.get("q");
    if (query) {
      $("query").value = query;
      search(query);
      if (!values.has("t") && hits.list.length) toHit(1);
    }
    const time = Number(values.get("t"));
    if (values.has("t") && Number.isFinite(time)) {
      const go = () => seek(1000 * time);
      if (media.readyState >= 1) go(); else media.addEventListener("loadedmetadata", go, { once: true });
      follow(1000 * time);
    }
  }

  function copyLink() {
    const values = new URLSearchParams({ t: (now() / 1000).toFixed(1) });
    if (hits.query) values.set("q", $("query").value.trim());
    history.replaceState(null, "", "#" + values);
    const done = () => say("The link to " + clock(now()) + " was copied");
    const copied = navigator.clipboard?.writeText(location.href);
    if (copied) copied.then(done, () => say("The link is in the address bar")); else say("The link is in the address bar");
  }

  // --- Keys ---

  const keys = [
    ["Space, k", "play or pause"], ["← →", "5 seconds"], ["j l", "10 seconds"],
    [", .", "a frame"], ["p n", "previous or next turn"], ["[ ]", "previous or next chapter"],
    ["− +", "zoom the timeline"], ["0", "the whole timeline"], ["< >", "slower or faster"],
    ["c", "captions"], ["s", "skip silence"], ["/", "search"], ["Enter", "next hit, while searching"],
    ["↑ ↓ Home End", "lines, in the transcript"], ["Enter", "play from the line, in the transcript"],
    ["y", "copy a link to this moment"], ["f", "full screen"], ["m", "mute"], ["?", "this list of keys"],
  ];
  if (isEditing) keys.splice(-3, 0, ["x", "strike this line, or keep it"]);

  function chapter(by) {
    const index = lastAt(now() - (by < 0 ? 1500 : -1), data.chapters.length, (place) => data.chapters[place][0]);
    const wanted = data.chapters[by > 0 ? index + 1 : Math.max(0, index)];
    if (wanted) seek(wanted[0], wanted[1]);
  }

  const actions = {
    " ": togglePlay, k: togglePlay, j: () => seek(now() - 10000), l: () => seek(now() + 10000),
    ArrowLeft: () => seek(now() - 5000), ArrowRight: () => seek(now() + 5000),
    ",": () => seek(now() - data.frame - 1), ".": () => seek(now() + data.frame - 1),
    p: () => turn(-1), n: () => turn(1), "[": () => chapter(-1), "]": () => chapter(1),
    "-": () => zoom(1.6), "+": () => zoom(0.625), "=": () => zoom(0.625),
    "0": () => { view = { ...whole }; redraw(); },
    "<": () => changeSpeed(-1), ">": () => changeSpeed(1),
    c: () => { if (tracks.length) showCaptions($("captions").value ? "" : captionsLast); },
    s: () => { $("quiet").checked = !$("quiet").checked; },
    x: () => { if (isEditing) toggleStrike(isInLines() ? cursor : active); },
    "/": () => { openTab(tabs[0]); $("query").focus(); },
    y: copyLink, m: () => { media.muted = !media.muted; },
    f: () => { if (document.fullscreenElement) document.exitFullscreen(); else media.requestFullscreen?.(); },
    "?": () => $("card").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("card").open) return;
    const target = event.target;
    if (target.matches("input[type=search], select")) return;
    const isPressed = target.matches("button, a, input, [role=tab]");
    if (isPressed && [" ", "Enter", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
    if (target === media && [" ", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
    if (event.key.length === 1 && event.key !== " " && !$("letters").checked) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  $("seek").addEventListener("keydown", (event) => {
    const action = { Home: () => seek(0), End: () => seek(data.duration),
      PageUp: () => seek(now() - 60000), PageDown: () => seek(now() + 60000) }[event.key];
    if (action) { event.preventDefault(); action(); }
  });

  // --- Initialization ---

  $("play").textContent = "Play";
  $("play").addEventListener("click", togglePlay);
  $("previous").addEventListener("click", () => turn(-1));
  $("next").addEventListener("click", () => turn(1));
  $("speed").addEventListener("change", () => { media.playbackRate = Number($("speed").value); });
  $("captions").addEventListener("change", () => showCaptions($("captions").value));
  $("captions-label").hidden = tracks.length === 0;
  $("zoom-in").addEventListener("click", () => zoom(0.625));
  $("zoom-out").addEventListener("click", () => zoom(1.6));
  $("zoom-all").addEventListener("click", () => { view = { ...whole }; redraw(); });
  $("copy").addEventListener("click", copyLink);
  $("help").addEventListener("click", () => $("card").showModal());
  for (const [key, what] of keys) {
    const cell = element("dt");
    cell.append(element("kbd", key));
    $("card").querySelector("dl").append(cell, element("dd", what));
  }
  function showLetters() { $("help").lastElementChild.hidden = !$("letters").checked; }
  $("letters").checked = choices.get("letters") !== "off";
  showLetters();
  $("letters").addEventListener("change", () => {
    choices.set("letters", $("letters").checked ? "on" : "off");
    showLetters();
  });
  $("search").addEventListener("submit", (event) => { event.preventDefault(); toHit(1); });
  $("query").addEventListener("input", () => search($("query").value));
  $("query").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    $("query").value = "";
    search("");
    $("query").blur();
  });
  $("hit-next").addEventListener("click", () => toHit(1));
  $("hit-previous").addEventListener("click", () => toHit(-1));
  list.addEventListener("scroll", () => {
    // Scrolling by the reader stops following; it resumes when the active line is visible again.
    if (performance.now() > followedUntil) {
      const y = active >= 0 ? top(active) - list.scrollTop : 0;
      isFollowing = y >= 0 && y < list.clientHeight;
    }
    renderLines();
  }, { passive: true });
  list.addEventListener("focusin", (event) => {
    const line = event.target.closest(".line");
    if (line) moveCursor(Number(line.dataset.line));
  });
  list.addEventListener("focusout", (event) => { if (!list.contains(event.relatedTarget)) isReading = false; });
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = isReading ? cursor : Math.max(0, active);
    const page = (by) => lineAt(Math.max(0, top(from) + by * list.clientHeight));
    const wanted = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: lines.length - 1,
      PageUp: Math.min(from - 1, page(-1)), PageDown: Math.max(from + 1, page(1)) }[event.key];
    if (wanted !== undefined) toLine(wanted);
    else if (event.key === "Enter" && !event.target.closest("button")) playLine(cursor);
    else return;
    event.preventDefault();
  });
  $("save-edits").addEventListener("click", saveEdits);
  $("keep-all").addEventListener("click", () => { struck.clear(); tellStrikes(); say("All lines are kept"); });
  addEventListener("beforeunload", (event) => { if (!strikes.isSaved) event.preventDefault(); });
  list.addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    if (event.target.closest(".strike")) return toggleStrike(Number(line.dataset.line));
    if (!line || String(getSelection())) return;
    isFollowing = true;
    seek(lines[line.dataset.line].start, nameOf(lines[line.dataset.line].person));
  });
  addEventListener("hashchange", readLink);
  addEventListener("beforeprint", () => {
    const sheet = $("print");
    const list = (title, texts) => {
      if (texts.length === 0) return;
      const all = element("ul");
      all.append(...texts.map((text) => element("li", clip(text, longest), { dir: "auto" })));
      sheet.append(element("h2", title), all);
    };
    sheet.replaceChildren();
    list("People", people.filter((one) => !one.isScreenOnly).map((person) => person.name + ": " + person.spoke));
    list("Chapters", data.chapters.map(([time, title]) => clock(time) + " " + title));
    if (lines.length) sheet.append(element("h2", "Transcript"));
    for (const line of lines) {
      const text = element("p");
      text.append(element("b", clock(line.start) + " "), element("bdi", nameOf(line.person)), ": " + line.text);
      sheet.append(text);
    }
  });
  addEventListener("afterprint", () => $("print").replaceChildren());

  $("seek").setAttribute("aria-valuemax", Math.round(data.duration / 1000));
  const count = people.filter((person) => !person.isScreenOnly).length;
  $("facts").textContent = lasting(data.duration) + " · " + count + (count === 1 ? " person" : " people");
  list.classList.toggle("editing", isEditing);
  fillPeople();
  document.querySelector(".lanes").hidden = people.length === 0;
  fillTabs();
  measure();
  follow(0);
  readLink();
  let width = list.clientWidth;
  new ResizeObserver(() => {
    if (list.clientWidth !== width) { width = list.clientWidth; measure(); } else { renderLines(); }
    redraw();
  }).observe(list);
  new ResizeObserver(redraw).observe($("chart"));
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", redraw);
  }
})();
