"use strict";
// The list of calls. All text comes from recordings and is only inserted as text, never as markup.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const count = (number, one, more) => `${number.toLocaleString()} ${number === 1 ? one : more}`;

  const clock = (milliseconds) => {
    const seconds = Math.round(milliseconds / 1000);
    const two = (number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };

  const element = (name, text, style) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (style) made.className = style;
    return made;
  };

  /** The picture of a call: one cell of its thumbnail sheet. */
  const poster = (call) => {
    const box = element("div", undefined, "poster");
    const thumb = call.thumb;
    if (!thumb) return box;
    const picture = element("div");
    box.append(picture);
    picture.style.backgroundImage = `url(${JSON.stringify(thumb.src)})`;
    picture.style.backgroundSize = `${thumb.columns * 100}% ${thumb.rows * 100}%`;
    const share = (place, of) => (of > 1 ? (place / (of - 1)) * 100 : 0);
    picture.style.backgroundPosition =
      `${share(thumb.column, thumb.columns)}% ${share(thumb.row, thumb.rows)}%`;
    picture.style.aspectRatio = `${thumb.width} / ${thumb.height}`;
    if (thumb.width < thumb.height) box.classList.add("tall");
    return box;
  };

  const rows = data.calls.map((call, index) => {
    const item = element("li");
    const link = element("a");
    link.href = call.href;
    const words = element("div", undefined, "words");
    const title = element("h2", call.title);
    title.dir = "auto";
    const people = element("p");
    call.people.forEach((name, place) => {
      if (place) people.append(", ");
      people.append(element("bdi", name));
    });
    words.append(title, people);
    const facts = element("p", undefined, "numbers");
    facts.append(element("time", clock(call.duration)), element("span", count(call.people.length, "person", "people")));
    if (call.losses) facts.append(element("span", count(call.losses, "loss", "losses"), "lost"));
    words.append(facts);
    link.append(poster(call), words);
    item.append(link);
    return { call, index, item, text: plain([call.title, ...call.people].join("\n")) };
  });

  const orders = {
    given: (a, b) => a.index - b.index,
    title: (a, b) => a.call.title.localeCompare(b.call.title) || a.index - b.index,
    longest: (a, b) => b.call.duration - a.call.duration || a.index - b.index,
    losses: (a, b) => b.call.losses - a.call.losses || a.index - b.index,
  };

  function show() {
    const words = plain($("query").value).split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => words.every((word) => row.text.includes(word)));
    found.sort(orders[$("order").value]);
    $("calls").replaceChildren(...found.map((row) => row.item));
    const hours = clock(found.reduce((sum, row) => sum + row.call.duration, 0));
    $("facts").textContent = found.length
      ? `${count(found.length, "call", "calls")}, ${hours}` : "No call has these words";
  }

  $("query").addEventListener("input", show);
  $("order").addEventListener("change", show);
  $("search").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && event.target !== $("query")) {
      event.preventDefault();
      $("query").focus();
    } else if (event.key === "Escape" && event.target === $("query")) {
      $("query").value = "";
      show();
    }
  });
  show();
})();
