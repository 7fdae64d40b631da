"""Drives Chromium for page-check.sh: the browser's own protocol, over two pipes.

Usage: page-check.py CHROMIUM VERDICT PICTURES
"""

import base64
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CHROMIUM, VERDICT, PICTURES = sys.argv[1:4]
# A folder's name is the run's name on the page.
NAME = "<img src=x onerror=document.title='broken'> & run"
WIDTHS = (1280, 390)
MANY = 100_000
# A match that goes on until it is stopped.
LONG = ("--test", "embedded,search.pvs=false", "--nodes", "3000", "--pairs", "100000", "--rule", "sprt=0,2")
failures = []


def check(what, holds, found=""):
    print(("ok      " if holds else "FAILED  ") + what + (f": {found}" if found else ""), flush=True)
    if not holds:
        failures.append(what)


class Browser:
    """A tab of a browser of its own."""

    def __init__(self, folder):
        to_browser, to_us = os.pipe(), os.pipe()
        inherited = (to_browser[0], to_us[1])

        def place():
            # The browser reads from 3 and writes to 4. Moved up first, since they may be there already.
            high = [os.dup2(end, 100 + at) for at, end in enumerate(inherited)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        command = [CHROMIUM, "--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--hide-scrollbars", f"--user-data-dir={folder}"]
        if os.getuid() == 0:
            command.append("--no-sandbox")
        log = open(folder / "log", "wb")
        self.process = subprocess.Popen(command, preexec_fn=place, close_fds=False, stdout=log, stderr=log)
        for end in inherited:
            os.close(end)
        self.out, self.into = to_browser[1], to_us[0]
        self.answers, self.number, self.session = queue.Queue(), 0, None
        self.troubles = []
        threading.Thread(target=self._read, daemon=True).start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.wide(WIDTHS[0])

    def _read(self):
        rest = b""
        while part := os.read(self.into, 1 << 16):
            *whole, rest = (rest + part).split(b"\0")
            for text in whole:
                message = json.loads(text)
                if "id" in message:
                    self.answers.put(message)
                elif message["method"] == "Runtime.exceptionThrown":
                    self.troubles.append(json.dumps(message["params"]["exceptionDetails"])[:300])
                elif message["method"] == "Log.entryAdded":
                    entry = message["params"]["entry"]
                    if entry["level"] == "error":
                        self.troubles.append(entry["text"] + " " + entry.get("url", ""))

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.answers.get(timeout=60)
            if answer["id"] == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def js(self, code):
        result = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{code}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, code, seconds=30):
        """The value of an expression once it is true; None if it never is."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if value := self.js(code):
                    return value
            except RuntimeError:
                pass
            time.sleep(0.1)
        return None

    def open(self, url):
        """Seconds until it is loaded."""
        begun = time.monotonic()
        self.call("Page.navigate", url=url)
        self.until(f"document.readyState === 'complete'"
                   f" && location.pathname === new URL({json.dumps(url)}).pathname")
        return time.monotonic() - begun

    def leave(self):
        """Looks at nothing, so that the end of a match is no trouble."""
        self.open("about:blank")
        self.troubles.clear()

    def wide(self, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 600)

    def key(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def picture(self, name):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        path = Path(PICTURES) / f"{name}.png"
        path.write_bytes(base64.b64decode(data))

    def unnamed(self):
        """Links, buttons, pictures and fields that a screen reader cannot name."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        roles = {"link", "button", "image", "textbox", "img", "region"}
        return [node["role"]["value"] for node in nodes
                if not node.get("ignored") and node.get("role", {}).get("value") in roles
                and not node.get("name", {}).get("value")]

    def close(self):
        self.process.kill()
        self.process.wait()


class Match:
    """A match with its page."""

    def __init__(self, words, folder):
        command = [VERDICT, *words, "--quiet", "--slots", "1"]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        self.url = None
        for line in self.process.stderr:
            if line.startswith("live page: "):
                self.url = line.removeprefix("live page: ").strip()
                break
        if self.url is None:
            raise SystemExit(f"page-check: {' '.join(command)} tells no address")
        self.host = self.url.split("/run/")[0]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


FIT = """(() => {
  const wide = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll("body *")].filter((it) =>
    !it.closest(".scroll") && !it.closest(".skip") && it.getBoundingClientRect().right > wide + 0.5);
  return [document.documentElement.scrollWidth <= wide, out.map((it) => it.outerHTML.slice(0, 90))];
})()"""
FINISHED = "Number(document.querySelector('[data-field=finished]')?.textContent.replaceAll(',', ''))"
VERSION = "Number(document.getElementById('charts')?.dataset.version)"


def fits(browser, name):
    for width in WIDTHS:
        browser.wide(width)
        time.sleep(0.2)
        holds, out = browser.js(FIT)
        check(f"{name} fits {width} pixels", holds and not out, "; ".join(out[:3]))
        browser.picture(f"{name}-{width}")
    browser.wide(WIDTHS[0])
    unnamed = browser.unnamed()
    check(f"{name}: everything has a name", not unnamed, ", ".join(unnamed))


def grows(browser, match):
    browser.open(match.url)
    first = browser.until(FINISHED)
    browser.until("document.querySelector('#charts table.sortable th button') !== null")
    # What a reader has done must outlast new charts.
    browser.js("document.querySelector('#charts details').open = true")
    browser.js("document.querySelector('#charts table.sortable th button').click()")
    browser.js("document.querySelector('#charts table.sortable th button').focus()")
    version = browser.js(VERSION)
    check("figures grow", bool(browser.until(f"{FINISHED} > {first} + 2")), f"from {first} games")
    check("charts grow", bool(browser.until(f"{VERSION} > {version}")), f"from {version} games")
    kept = browser.js("[document.querySelector('#charts details').open,"
                      " document.querySelector('#charts th[aria-sort]') !== null,"
                      " document.activeElement.tagName]")
    check("what was opened, sorted and focused stays so", kept == [True, True, "BUTTON"], str(kept))
    check("markup in names is text", browser.js("document.querySelector('img') === null"
                                                " && document.title.includes('<img')"))
    fits(browser, "run")
    browser.open(match.host + "/")
    before = browser.until(FINISHED)
    check("the list of runs grows", bool(browser.until(f"{FINISHED} > {before}")))
    fits(browser, "runs")


def boards(browser, match):
    browser.open(match.url.split("?")[0] + "/live")
    square = "document.querySelector('svg.board')?.outerHTML"
    first = browser.until(square)
    check("games under way move", bool(browser.until(f"{square} && {square} !== {json.dumps(first)}")))
    fits(browser, "live")
    browser.open(match.url.split("?")[0] + "/games?from=0")
    fits(browser, "games")
    browser.js("document.querySelector('tbody a').click()")
    plies = browser.until("document.readyState === 'complete'"
                          " && document.querySelectorAll('.game .moves [data-ply]').length")
    at = "document.querySelector('.moves [aria-current=step]')?.dataset.ply ?? '0'"
    shown = "document.querySelector('#board .note').textContent"
    for key, ply in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", plies)):
        browser.key(key)
        found = browser.until(f"{shown}.startsWith('Ply {ply} of {plies}.') && ({at}) === '{ply}'", 10)
        check(f"{key} shows ply {ply} of {plies}", bool(found))
    link = "document.querySelector('#board [aria-keyshortcuts=ArrowLeft]')"
    browser.js(f"{link}.focus(); {link}.click()")
    browser.until(f"{shown}.startsWith('Ply {plies - 1} ')", 10)
    check("the focus stays on the link", browser.js(f"document.activeElement === {link}"))
    fits(browser, "game")


def scriptless(browser, match):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    for path, word in ((match.url, "Elo, test minus base"), (match.host + "/", "Runs")):
        browser.open(path)
        time.sleep(0.5)
        tree = json.dumps(browser.call("Accessibility.getFullAXTree"))
        check(f"without a script {path.removeprefix(match.host)} says its state", word in tree)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def restart(browser, match, place):
    browser.open(match.url)
    last = browser.until(FINISHED)
    browser.troubles.clear()
    match.stop()
    told = "document.getElementById('connection').textContent"
    check("the end is told", bool(browser.until(f"/ended|reached/.test({told})")), browser.js(told))
    port = match.host.rsplit(":", 1)[1]
    again = Match(["resume", NAME, "--web", f"127.0.0.1:{port}"], place)
    check("the page goes on after a resume", bool(browser.until(f"{FINISHED} > {last} + 2 && {told} === ''", 60)))
    # The refused connections meanwhile are told in the browser's log.
    browser.troubles.clear()
    return again


def token(browser, place):
    match = Match(["match", *LONG, "--out", "guarded", "--web", "0.0.0.0:0"], place)
    port = match.host.rsplit(":", 1)[1]
    path = "/run/" + match.url.split("/run/")[1]
    local = f"http://127.0.0.1:{port}"
    browser.open(local + path)
    clean = browser.until("document.querySelector('.now') && location.search === ''")
    check("the token leaves the address", bool(clean))
    grown = browser.until(f"{FINISHED} > 0") and browser.until(f"{VERSION} > 0")
    check("figures come with the token", bool(grown))
    browser.troubles.clear()
    browser.call("Page.reload")
    time.sleep(1)
    check("a reload takes the token that was kept", bool(browser.until("document.querySelector('.now') !== null")))
    browser.leave()
    match.stop()


class Fleet:
    """`verdict serve`, its page, two workers and a match of theirs."""

    def __init__(self, place):
        self.place, self.running = place, []
        self.serve = self.begin("serve", "--dir", "srv", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0")
        self.url = self.told(self.serve, "page ")
        for name in ("alice", "bob"):
            words = subprocess.run([VERDICT, "serve", "--dir", "srv", "invite", name], cwd=place, check=True,
                                   capture_output=True, text=True).stdout.split()
            worker = self.begin("worker", "--join", words[-1], "--slots", "1", "--name", "pc")
            self.told(worker, "joined")
        self.match = self.begin("match", *LONG, "--out", "shared", "--quiet", "--fleet", "srv", "--slots", "0")

    def begin(self, *words):
        process = subprocess.Popen([VERDICT, *words], cwd=self.place, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.running.append(process)
        return process

    def told(self, process, words):
        """The last word of the line that has these."""
        for line in process.stdout:
            if words in line:
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return line.split()[-1]
        raise SystemExit(f"page-check: {process.args} does not say {words!r}")

    def broker(self):
        """The process of the broker."""
        names = [path.name for path in (self.place / "srv").glob("nats-server_*.ports")]
        numbers = [int(name.removeprefix("nats-server_").removesuffix(".ports")) for name in names]
        return next(number for number in numbers if Path("/proc", str(number)).exists())

    def stop(self):
        for process in reversed(self.running):
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def many_machines(browser, place):
    fleet = Fleet(place)
    try:
        browser.open(fleet.url)
        link = browser.until("[...document.querySelectorAll('a')].find((a) => a.textContent === 'shared')?.href")
        browser.open(link)
        first = browser.until(FINISHED)
        check("a run on many machines grows", bool(browser.until(f"{FINISHED} > {first} + 2")), f"from {first} games")
        version = browser.until(VERSION)
        check("its charts grow", bool(browser.until(f"{VERSION} > {version}", 60)))
        fits(browser, "fleet-run")
        os.kill(fleet.broker(), signal.SIGKILL)
        last = browser.js(FINISHED)
        check("it goes on after the broker was killed", bool(browser.until(f"{FINISHED} > {last} + 20", 60)),
              f"from {last} games")
        browser.open(fleet.url + "workers" if fleet.url.endswith("/") else fleet.url + "/workers")
        shown = browser.until("document.body.textContent.includes('alice.pc')"
                              " && document.body.textContent.includes('bob.pc')")
        check("both workers are shown", bool(shown))
        fits(browser, "workers")
        check("no errors in the browser", not browser.troubles, "; ".join(browser.troubles[:3]))
        browser.leave()
    finally:
        fleet.stop()


def many(browser, place):
    """100,000 recorded games, made of a few played ones."""
    source, folder = place / NAME, place / "results" / "many"
    folder.mkdir(parents=True)
    run = json.loads((source / "run.json").read_text())
    run["plan"]["pairs"] = MANY
    (folder / "run.json").write_text(json.dumps(run))
    games = [json.loads(line) for line in (source / "games.jsonl").read_text().splitlines()]
    pairs = {}
    for game in games:
        pairs.setdefault(game["pair"], []).append(game)
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    with open(folder / "games.jsonl", "w") as out:
        for pair in range(MANY // 2):
            for at, game in enumerate(whole[pair % len(whole)]):
                number = 2 * pair + at
                out.write(json.dumps({**game, "game": number, "pair": pair, "hash": f"{number:016x}"}) + "\n")
    size = (folder / "games.jsonl").stat().st_size / 1e6
    match = Match(["match", *LONG, "--out", "beside", "--web", "127.0.0.1:0"], place)
    browser.open(match.host + "/")
    link = browser.until("[...document.querySelectorAll('a')].find((a) => a.textContent === 'many')?.href")
    times = [browser.open(url) for url in (link, link, f"{link}/games", f"{link}/games?from=50000",
                                           f"{link}/game/77777")]
    words = ("read and drawn", "again", "last games", "games in the middle", "one game")
    told = ", ".join(f"{word} {seconds:.2f} s" for word, seconds in zip(words, times))
    shown = browser.js("document.querySelector('h1').textContent")
    check(f"{MANY} recorded games, {size:.0f} MB", shown == "Game 77777", told)
    status = (Path("/proc") / str(match.process.pid) / "status").read_text()
    memory = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    print("        memory of verdict at most: " + memory.split(":")[1].strip())
    check("no errors in the browser", not browser.troubles, "; ".join(browser.troubles[:3]))
    browser.leave()
    match.stop()


def main():
    place = Path(tempfile.mkdtemp())
    (place / "profile").mkdir()
    browser, running = Browser(place / "profile"), []
    try:
        running.append(Match(["match", *LONG, "--out", NAME, "--web", "127.0.0.1:0"], place))
        grows(browser, running[-1])
        boards(browser, running[-1])
        scriptless(browser, running[-1])
        check("no errors in the browser", not browser.troubles, "; ".join(browser.troubles[:3]))
        running.append(restart(browser, running[-1], place))
        browser.leave()
        running[-1].stop()
        token(browser, place)
        many_machines(browser, place)
        many(browser, place)
    finally:
        for match in running:
            if match.process.poll() is None:
                match.process.kill()
        browser.close()
        shutil.rmtree(place, ignore_errors=True)
    print(f"pictures: {PICTURES}")
    sys.exit(1 if failures else 0)


main()
