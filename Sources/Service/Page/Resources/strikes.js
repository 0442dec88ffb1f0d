// Computes cuts and mutes from struck lines. StruckWordResolver.swift is the same algorithm; strikes.json has test
// cases for both. Spans are [start, end, start, end, …] in milliseconds.
"use strict";

const Strikes = (() => {
  const [reach, shortest, breath, longestPause] = [80, 80, 600, 1000];

  /** Sorts spans and joins those that touch or overlap. */
  function joined(spans) {
    const all = [];
    const pairs = spans.flatMap((time, index) => (index % 2 ? [] : [[time, spans[index + 1]]]));
    for (const [from, to] of pairs.filter(([from, to]) => from < to).sort((a, b) => a[0] - b[0])) {
      if (from <= all.at(-1)) all.push(Math.max(all.pop(), to)); else all.push(from, to);
    }
    return all;
  }

  /** Subtracts `others` from `spans`. */
  function without(spans, others) {
    const [left, own, free] = [[], joined(spans), [-Infinity, ...joined(others), Infinity]];
    for (let index = 0, place = 0; index < own.length && place < free.length;) {
      const [from, to] = [Math.max(own[index], free[place]), Math.min(own[index + 1], free[place + 1])];
      if (from < to) left.push(from, to);
      if (own[index + 1] < free[place + 1]) index += 2; else place += 2;
    }
    return left;
  }

  const common = (spans, others) => without(spans, without(spans, others));
  const length = (spans) => spans.reduce((sum, time, index) => sum + (index % 2 ? time : -time), 0);

  /** Groups struck lines of one speaker that are at most a breath apart, with no kept line in between. */
  function runs(lines, isStruck, kept) {
    const [found, inOrder] = [[], [...lines.keys()].sort((a, b) => lines[a].start - lines[b].start || a - b)];
    for (const person of new Set(lines.map((line) => line.person))) {
      let [open, last] = [undefined, undefined];
      const close = (next) => {
        if (open) found.push({ ...open, after: next });
        last = open ? Math.max(last ?? open.end, open.end) : last;
        open = undefined;
      };
      for (const index of inOrder.filter((index) => lines[index].person === person)) {
        const { start, end } = lines[index];
        const joins = !open || start - open.end <= 2 * reach
          || (start - open.end <= breath && common([open.end, start], kept).length === 0);
        if (!isStruck(index) || !joins) close(start);
        if (!isStruck(index)) { last = Math.max(last ?? end, end); continue; }
        open ??= { person, start, end, before: last };
        open.end = Math.max(open.end, end);
      }
      close();
    }
    return found.filter((run) => run.end > run.start);
  }

  /** The length to cut from the pause after `run`: the shorter of the two adjacent pauses, at most 1 s. */
  function pause(run, spoken, busy) {
    const place = spoken.indexOf(run.start);
    const [from, to] = [spoken[place - 1] ?? -Infinity, spoken[spoken.indexOf(run.end) + 1] ?? Infinity];
    if (run.before === undefined || run.after === undefined || place % 2 || !spoken.includes(run.end)) return 0;
    const shorter = Math.min(
      run.start - run.before, run.start - from, run.after - run.end, to - run.end, longestPause);
    return shorter > reach && common([run.end, run.end + shorter], busy).length === 0 ? shorter : 0;
  }

  /** Computes the cuts, and the mutes by person. `speaking` has each person's spans; pauses in `busy` stay. */
  function decide(lines, isStruck, speaking, busy = []) {
    const spans = (of) => lines.flatMap((line, index) => (of(line, index) ? [line.start, line.end] : []));
    const kept = joined(spans((_, index) => !isStruck(index)));
    const spoken = joined(spans(() => true));
    const all = runs(lines, isStruck, kept).map((run) => {
      if (speaking[run.person]) return { ...run, owner: run.person };
      const heard = speaking.map((own) => length(common([run.start, run.end], own)));
      const most = Math.max(0, ...heard);
      return { ...run, owner: most > 0 ? heard.indexOf(most) : -1, isGuessed: true };
    });
    const heard = speaking.map((own, person) => without(own, all.filter((run) => run.owner === person).flatMap(
      (run) => [Math.max(run.start - reach, run.before ?? 0), Math.min(run.end + reach, run.after ?? Infinity)])));
    const [cut, mute] = [[], []];
    for (const owner of new Set(all.map((run) => run.owner))) {
      const others = joined(kept.concat(...heard.filter((_, person) => person !== owner)));
      const own = spans((line, index) => line.person === owner && !isStruck(index));
      const silent = [];
      for (const run of all.filter((run) => run.owner === owner)) {
        const free = without([run.start, run.end + pause(run, spoken, others.concat(busy))], others);
        const gone = free.filter((_, index) => free[index | 1] - free[index & ~1] >= shortest);
        cut.push(...gone);
        if (!run.isGuessed) silent.push(...without([run.start, run.end], gone.concat(own)));
      }
      if (silent.length) mute.push([owner, joined(silent)]);
    }
    return { cut: joined(cut), mute: mute.sort((a, b) => a[0] - b[0]) };
  }

  /** Quotes `text` for YAML. Characters with a meaning in YAML are escaped by number. */
  const quoted = (text) => '"' + text.replace(/[\x00-\x1f"&*[\\\]{}\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (letter) => "\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0")) + '"';

  return { without, length, decide, quoted };
})();
