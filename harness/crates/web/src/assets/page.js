"use strict";
// Renews parts of a page that says all without this script. Nothing here makes markup of what it is
// told: text goes in as text, and fragments come from the server, which has escaped them.
(() => {
  const main = document.getElementById("main");
  const connection = document.getElementById("connection");
  const address = new URL(location.href);
  const given = address.searchParams.get("token");

  // The token is kept for this tab, and goes out of the address, which people show and copy.
  if (main.dataset.needs === "token") {
    const kept = sessionStorage.getItem("token");
    sessionStorage.removeItem("token");
    if (kept && !given) {
      address.searchParams.set("token", kept);
      location.replace(address);
    }
    return;
  }
  if (given) {
    sessionStorage.setItem("token", given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  const token = sessionStorage.getItem("token");
  const get = (path, more = {}) =>
    fetch(path, { ...more, headers: token ? { Authorization: `Bearer ${token}` } : {} });

  const say = (text) => {
    if (connection && connection.textContent !== text) connection.textContent = text;
  };
  const count = (number) => Number(number).toLocaleString("en-US");
  const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body;

  // Text of the elements that name a field.
  const fields = (row) => ({
    ...row,
    ...row.fleet,
    pairs: count(row.pairs),
    pairs_of: `${count(row.pairs)} of ${count(row.of)}`,
    prefix: count(row.prefix),
    finished: count(row.finished),
    games_per_s: row.games_per_s === null ? "–" : Number(row.games_per_s).toFixed(2),
    ...Object.fromEntries(["finished_pairs", "redrawn", "duplicates", "refused", "audited"]
      .filter((name) => row.fleet).map((name) => [name, count(row.fleet[name])])),
    workers: row.fleet ? `${count(row.fleet.workers)} with ${count(row.fleet.slots)} slots` : "",
  });
  const fill = (root, row) => {
    const values = fields(row);
    for (const element of root.querySelectorAll("[data-field]")) {
      const value = values[element.dataset.field];
      if (value === undefined || value === null) continue;
      const text = String(value);
      if (element.textContent !== text) element.textContent = text;
    }
  };

  // A part of the page as the server has it now.
  const renew = async (path, ids) => {
    const answer = await get(path);
    if (!answer.ok) return null;
    const body = parsed(await answer.text());
    for (const id of ids) {
      const [old, fresh] = [document.getElementById(id), body.querySelector(`#${id}`)];
      if (!old || !fresh) continue;
      keeping(old, () => {
        old.replaceChildren(...fresh.childNodes);
        makeSortable(old);
      });
    }
    return body;
  };

  // Replaces what is in an element, and leaves its readers where they were: what they opened, sorted,
  // scrolled and focused.
  const keeping = (root, replace) => {
    const all = (what) => [...root.querySelectorAll(what)];
    const focusable = "a, button, summary, [tabindex]";
    const open = all("details").map((it) => it.open);
    const scrolled = all(".scroll").map((it) => [it.scrollLeft, it.scrollTop]);
    const sorted = all("table.sortable").map((table) => {
      const heads = [...table.tHead.rows[0].cells];
      const at = heads.findIndex((head) => head.hasAttribute("aria-sort"));
      return [table.caption?.textContent, at, heads[at]?.getAttribute("aria-sort")];
    });
    const focused = all(focusable).indexOf(document.activeElement);
    replace();
    all("details").forEach((it, at) => { it.open = open[at] ?? it.open; });
    for (const table of all("table.sortable")) {
      const before = sorted.find(([caption]) => caption === table.caption?.textContent);
      if (!before || before[1] < 0) continue;
      const head = table.tHead.rows[0].cells[before[1]];
      for (let times = 0; times < 2 && head?.getAttribute("aria-sort") !== before[2]; times += 1) {
        head?.querySelector("button")?.click();
      }
    }
    all(".scroll").forEach((it, at) => {
      [it.scrollLeft, it.scrollTop] = scrolled[at] ?? [0, 0];
    });
    if (focused >= 0) all(focusable)[focused]?.focus({ preventScroll: true });
  };

  // Charts: fetched as a whole when there are newer ones, while somebody sees them.
  const charts = document.getElementById("charts");
  let newest = 0;
  let drawing = false;
  const redraw = async () => {
    if (!charts || drawing || document.hidden || Number(charts.dataset.version) >= newest) return;
    drawing = true;
    try {
      const answer = await get(`/run/${encodeURIComponent(charts.dataset.run)}/charts`);
      if (answer.ok) {
        const body = parsed(await answer.text());
        keeping(charts, () => {
          charts.replaceChildren(...body.childNodes);
          makeSortable(charts);
        });
        charts.dataset.version = answer.headers.get("X-Charts-Version");
      }
    } catch {
      // The events say when the server is back.
    }
    setTimeout(() => { drawing = false; redraw(); }, 2000);
  };
  document.addEventListener("visibilitychange", redraw);

  const warnings = document.getElementById("warnings");
  const warn = (texts) => {
    if (!warnings || !texts) return;
    warnings.hidden = texts.length === 0;
    warnings.querySelector("ul").replaceChildren(...texts.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
  };

  // The list of workers, once in two seconds at most.
  let [shownWorkers, newestWorkers, asking] = [null, null, false];
  const workersNow = async (version) => {
    newestWorkers = version;
    if (asking || version === shownWorkers || document.hidden || !document.getElementById("workers")) return;
    asking = true;
    shownWorkers = version;
    try {
      await renew("/workers", ["workers"]);
    } catch {
      // The events say when the server is back.
    }
    setTimeout(() => { asking = false; workersNow(newestWorkers); }, 2000);
  };
  document.addEventListener("visibilitychange", () => {
    if (newestWorkers !== null) workersNow(newestWorkers);
  });

  let verdict;
  const apply = (data, whole) => {
    const rows = data.runs ?? [];
    const cards = [...document.querySelectorAll(".card")];
    for (const row of rows) {
      const card = cards.find((it) => it.dataset.run === row.id);
      if (card) fill(card, row);
    }
    const list = document.getElementById("runs");
    if (list && whole) {
      const [known, told] = [cards.map((it) => it.dataset.run), rows.map((it) => it.id)];
      if (known.length !== told.length || told.some((id) => !known.includes(id))) renew("/", ["runs"]);
    }
    const now = document.querySelector(".now");
    if (now && data.run) {
      fill(now, data.run);
      warn(data.run.warnings);
      newest = data.run.charts_version;
      redraw();
      if (data.run.verdict && verdict === null) say(`The run has ended: ${data.run.verdict}.`);
      verdict = data.run.verdict;
    }
    if (data.workers) workersNow(data.workers.version);
  };

  const listen = () => {
    const path = new URL("/events", location.href);
    if (charts) path.searchParams.set("run", charts.dataset.run);
    if (token) path.searchParams.set("token", token);
    const source = new EventSource(path);
    const again = (text) => {
      source.close();
      say(text);
      setTimeout(listen, 3000);
    };
    const take = (whole) => (event) => {
      say("");
      apply(JSON.parse(event.data), whole);
    };
    source.addEventListener("state", take(true));
    source.addEventListener("change", take(false));
    source.addEventListener("end", (event) => {
      apply(JSON.parse(event.data), true);
      again("verdict has ended. This is the last state; the report is in the run's folder.");
    });
    source.addEventListener("error", () => {
      if (connection?.textContent.startsWith("verdict has ended")) return again(connection.textContent);
      again("verdict cannot be reached. This is the last state; trying again.");
    });
  };
  if (charts || document.getElementById("runs") || document.getElementById("workers")) listen();

  // Games under way.
  const boards = document.getElementById("boards");
  if (boards) {
    setInterval(async () => {
      if (document.hidden) return;
      try {
        const answer = await get(boards.dataset.from);
        if (answer.ok) {
          const body = parsed(await answer.text());
          keeping(boards, () => boards.replaceChildren(...body.childNodes));
        }
        say("");
      } catch {
        say("verdict cannot be reached. These are the last moves that are known.");
      }
    }, 1000);
  }

  // One game, move by move.
  const game = document.querySelector(".game");
  if (!game) return;
  const from = game.dataset.from;
  const current = () => Number(game.querySelector("[aria-current=step]")?.dataset.ply ?? 0);
  const plies = () => game.querySelectorAll(".moves [data-ply]").length;
  let asked = null;
  const mark = (ply) => {
    game.querySelector("[aria-current=step]")?.removeAttribute("aria-current");
    const link = game.querySelector(`.moves [data-ply="${ply}"]`);
    if (!link) return;
    link.setAttribute("aria-current", "step");
    const list = link.closest(".scroll");
    const [at, room] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
    if (at.top < room.top) list.scrollTop -= room.top - at.top;
    if (at.bottom > room.bottom) list.scrollTop += at.bottom - room.bottom;
  };
  const show = async (ply) => {
    asked?.abort();
    asked = new AbortController();
    mark(ply);
    try {
      const answer = await get(`${from}/board?ply=${ply}`, { signal: asked.signal });
      if (!answer.ok) return;
      const body = parsed(await answer.text());
      const board = document.getElementById("board");
      const focused = board.contains(document.activeElement)
        ? document.activeElement.getAttribute("aria-keyshortcuts") : null;
      board.replaceChildren(...body.childNodes);
      if (focused) {
        (board.querySelector(`[aria-keyshortcuts="${focused}"]`) ?? board.querySelector("[data-ply]"))
          ?.focus({ preventScroll: true });
      }
      history.replaceState(null, "", `?ply=${ply}`);
      say("");
    } catch (error) {
      if (error.name !== "AbortError") say("verdict cannot be reached.");
    }
  };
  game.addEventListener("click", (event) => {
    const link = event.target.closest("[data-ply]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(Number(link.dataset.ply));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea")) return;
    const [ply, last] = [current(), plies()];
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to <= last && to !== ply) show(to);
  });
  mark(current());
  if (!("live" in game.dataset)) return;
  const follow = setInterval(async () => {
    // Who looks at an earlier move is left there.
    if (document.hidden || current() !== plies()) return;
    try {
      const answer = await get(from);
      if (!answer.ok) return;
      const body = parsed(await answer.text());
      const fresh = body.querySelector(".game");
      if (!fresh) return;
      document.getElementById("end").replaceChildren(...body.querySelector("#end").childNodes);
      keeping(game, () => game.replaceChildren(...fresh.childNodes));
      mark(current());
      if (!("live" in fresh.dataset)) {
        clearInterval(follow);
        delete game.dataset.live;
      }
      say("");
    } catch {
      say("verdict cannot be reached. This is the last position that is known.");
    }
  }, 1000);
})();
