#!/usr/bin/env python3
"""Draws HTML pages with Chromium, has drawn.js look at them, and prints a line for each check.

Usage: drawn.py CHROMIUM SCREENSHOTS PAGE.html...

Speaks the DevTools protocol through the pipe of --remote-debugging-pipe, so it needs nothing but Chromium.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile

STRIP = 3000  # the height of the window: a page is drawn strip by strip
STRIDE = 2500 # strips overlap, so that every mark lies in one
SCALE = 1     # device pixels per CSS pixel
# Ends when the page has drawn a frame after the last change.
PAINTED = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
# Print is A4 between margins of 1 cm, at 96 pixels per inch.
LOOKS = [("light", 1280, "light", ""), ("phone", 390, "light", ""), ("dark", 1280, "dark", ""), ("print", 718, "light", "print")]
# Pages share their parts. So the page "run" has all looks, and the others in turn the first two or the last two, unless THOROUGH=1.
THOROUGH = os.environ.get("THOROUGH", "0") not in ("", "0")


class Browser:
    def __init__(self, chromium, profile):
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=" + profile,
                   "--remote-debugging-pipe"]

        def place_pipes():  # Chromium reads commands from 3 and writes answers to 4
            reader, writer = os.dup(to_read), os.dup(to_write)
            os.dup2(reader, 3)
            os.dup2(writer, 4)

        self.process = subprocess.Popen(command, preexec_fn=place_pipes, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.rest = b""

    def receive(self):
        while b"\0" not in self.rest:
            data = os.read(self.back, 1 << 20)
            if not data:
                raise RuntimeError("Chromium ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def open(self, url):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        if url != "about:blank":
            self.send("Page.navigate", session, url=url)
            while not self.evaluate(session, "location.href !== 'about:blank' && document.readyState === 'complete'"):
                pass
        return session

    def evaluate(self, session, expression):
        answer = self.send("Runtime.evaluate", session, expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")


def screenshot(browser, session):
    """Returns the page as PNG strips, each with the position of its top."""
    height = browser.evaluate(session, "document.documentElement.scrollHeight")
    strips = []
    for top in range(0, height, STRIDE):
        at = browser.evaluate(session, "scrollTo({ top: %d, behavior: 'instant' }), scrollY" % top)
        browser.evaluate(session, PAINTED)
        strips.append((at, browser.send("Page.captureScreenshot", session, optimizeForSpeed=True)["data"]))
    return strips


def look(browser, page, blank, judge, name, looks, shots):
    """Draws the page once, and returns the list of what is wrong."""
    label, width, scheme, media = looks
    browser.send("Page.bringToFront", page)
    browser.send("Emulation.setEmulatedMedia", page, media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.send("Emulation.setDeviceMetricsOverride", page, width=width, height=STRIP, deviceScaleFactor=SCALE, mobile=False)
    browser.evaluate(page, PAINTED)
    strips = screenshot(browser, page)
    for i, (top, data) in enumerate(strips):
        with open(os.path.join(shots, "%s-%s%s.png" % (name, label, "-%d" % i if i else "")), "wb") as f:
            f.write(base64.b64decode(data))
    browser.evaluate(page, judge)
    found = browser.evaluate(page, "drawn.find(%s)" % json.dumps(media == "print"))
    browser.evaluate(blank, judge)
    faint = []
    for i, (top, data) in enumerate(strips):
        marks = [m for m in found["marks"] if i * STRIDE <= m["y"] < (i + 1) * STRIDE]
        if marks:
            faint += browser.evaluate(blank, "drawn.faint(%s, %s, %d, %d)" % (json.dumps(data), json.dumps(marks), top, SCALE))
    return found, faint


# A drag across the first chart from a quarter of its width to half of it: in all charts of the section the ticks of the window must
# stand where the lines have these times. Returns what is wrong. The times of a run of 2 s are known, and so are places on its lines.
ZOOM = """(() => {
	const charts = [...document.querySelector("main > section svg.graph[data-x0]").closest("main > section").querySelectorAll("svg.graph[data-x0]")];
	const grid = charts[0].querySelector("line.grid[x2='100%']:not([x1])");
	const box = grid.getBoundingClientRect(), wrong = [], all = (c) => [...c.querySelectorAll("text.x:not(.off):not(.unit)")];
	const at = (part) => ({ pointerType: "mouse", button: 0, bubbles: true, clientX: box.left + part * box.width, clientY: box.top });
	const before = charts.map((c) => c.querySelector("svg.plot").getAttribute("viewBox"));
	charts[0].dispatchEvent(new PointerEvent("pointerdown", at(0.25)));
	charts[0].dispatchEvent(new PointerEvent("pointermove", at(0.5)));
	dispatchEvent(new PointerEvent("pointerup", at(0.5)));
	for (const c of charts) {
		const plot = c.querySelector("svg.plot"), view = plot.viewBox.baseVal, whole = before[charts.indexOf(c)].split(" ").map(Number);
		const x = (s) => new DOMPoint(whole[0] + s * 1000 / (c.dataset.x1 - c.dataset.x0) * whole[2], 0).matrixTransform(plot.getScreenCTM()).x;
		const ticks = all(c).map((t) => [+t.textContent, t.getBoundingClientRect()]);
		if (ticks.length < 3) wrong.push("fewer than three ticks");
		for (const [s, r] of ticks)
			if (Math.abs((r.left + r.right) / 2 - x(s)) > 1.5) wrong.push(`the tick ${s} is not at its time in "${c.ariaLabel}"`);
		if (Math.abs(view.width / whole[2] - 0.25) > 0.01) wrong.push(`a window of ${view.width / whole[2]}`);
	}
	const [from, to] = document.querySelectorAll(".slide input[type=number]"), length = (charts[0].dataset.x1 - charts[0].dataset.x0) / 1000;
	if (Math.abs(from.value - length / 4) > 0.02 || Math.abs(to.value - length / 2) > 0.02) wrong.push(`fields ${from.value}, ${to.value}`);
	from.value = 0;
	from.dispatchEvent(new Event("change"));
	if (Math.abs(charts[1].querySelector("svg.plot").viewBox.baseVal.width / before[1].split(" ")[2] - 0.5) > 0.01) wrong.push("the fields do nothing");
	document.querySelector(".slide button").click();
	if (charts.some((c, i) => c.querySelector("svg.plot").getAttribute("viewBox") !== before[i])) wrong.push("no way back");
	return wrong;
})()"""


def report(label, problems):
    seen = list(dict.fromkeys(problems))
    print("%s - %s%s" % ("not ok" if seen else "ok", label, " (%d: %s)" % (len(problems), "; ".join(seen[:6])) if seen else ""), flush=True)
    return bool(seen)


def main():
    chromium, shots = sys.argv[1:3]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "drawn.js"), encoding="utf-8") as f:
        judge = f.read()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="chromium", ignore_cleanup_errors=True) as profile:
        browser = Browser(chromium, profile)
        blank = browser.open("about:blank")
        for number, path in enumerate(sys.argv[3:]):
            name = os.path.basename(path)[:-len(".html")]
            page = browser.open("file://" + os.path.abspath(path))
            for looks in LOOKS if THOROUGH or name == "run" else LOOKS[number % 2 * 2:][:2]:
                found, faint = look(browser, page, blank, judge, name, looks, shots)
                label = "%s, %s" % (name, looks[0])
                failures += report(label + ": texts and lines can be seen", faint or ([] if found["marks"] else ["nothing is drawn"]))
                failures += report(label + ": no text lies on another", found["overlaps"])
                failures += report(label + ": no line or point lies on a text", found["struck"])
                failures += report(label + ": all columns and labels can be reached", found["beyond"])
                failures += report(label + ": charts are full, and their points in place", found["plots"])
            if name == "run":
                failures += report("run: a drag shows a window of time", browser.evaluate(page, ZOOM))
            browser.send("Page.close", page)
        browser.send("Browser.close")
        browser.process.wait(20)
    sys.exit(1 if failures else 0)


main()
