/* html.js: the common cursor of the charts over time, a window of time that they show, and legend entries that hide
   their lines. The page is complete without it. It reads everything that it shows from the charts themselves. */
"use strict";
(() => {
	const NS = "http://www.w3.org/2000/svg", WIDE = 4000, FINE = 4, SMALLEST = 0.002;
	const TIME = { ns: 1, "\u00b5s": 1e3, ms: 1e6, s: 1e9, min: 6e10 };

	const add = (parent, tag, name, text) => {
		const e = document.createElement(tag);
		if (name) e.className = name;
		if (text) e.textContent = text;
		parent.append(e);
		return e;
	};

	const draw = (parent, tag, attributes) => {
		const e = document.createElementNS(NS, tag);
		for (const name in attributes) e.setAttribute(name, attributes[name]);
		parent.append(e);
		return e;
	};

	/* The y axis of a chart, by its first and its last tick. Axes whose ticks have units of time are logarithmic. */
	const axis = (svg) => {
		const ticks = [...svg.querySelectorAll("text.y")].map((t) => {
			const [number, unit] = t.textContent.split(/\s+/);
			return { px: +t.getAttribute("y") - 4, v: parseFloat(number) * (TIME[unit] || 1), time: unit in TIME };
		}).filter((t) => !isNaN(t.v));
		const a = ticks[0], b = ticks[ticks.length - 1], name = svg.querySelector("text.unit:not(.x)");
		if (!a || a.px === b.px) return null;
		return {
			value: (px) => {
				const part = (px - a.px) / (b.px - a.px);
				return a.time ? Math.exp(Math.log(a.v) + part * (Math.log(b.v) - Math.log(a.v))) : a.v + part * (b.v - a.v);
			},
			text: (v) => {
				if (!a.time) return v.toPrecision(3) + (name ? " " + name.textContent : "");
				const unit = Object.keys(TIME).reverse().find((u) => u !== "min" && v >= TIME[u] * 0.9995) || "ns";
				return (v / TIME[unit]).toPrecision(3) + " " + unit;
			},
		};
	};

	/* The points of a path of absolute moves and relative lines. */
	const points = (d) => {
		const out = [];
		let x = 0, y = 0;
		for (const [, c, rest] of d.matchAll(/([Mlh])([^Mlh]*)/g)) {
			const v = (rest.match(/-?\d+/g) || []).map(Number);
			for (let i = 0; c !== "h" && i + 1 < v.length; i += 2) {
				x = c === "M" ? v[i] : x + v[i];
				y = c === "M" ? v[i + 1] : y + v[i + 1];
				out.push([x, y / FINE]);
			}
		}
		return out;
	};

	const nearest = (line, x) => {
		let lo = 0, hi = line.length - 1;
		while (lo < hi) {
			const mid = (lo + hi) >> 1;
			if (line[mid][0] < x) lo = mid + 1; else hi = mid;
		}
		if (lo > 0 && x - line[lo - 1][0] < line[lo][0] - x) lo--;
		return line[lo] && Math.abs(line[lo][0] - x) < WIDE / 50 ? line[lo] : null;
	};

	const charts = [...document.querySelectorAll("svg.graph[data-x0]")].map((svg) => {
		const figure = svg.closest("figure"), plot = svg.querySelector("svg.plot"), y = axis(svg);
		const keys = [...svg.children].filter((e) => e.matches("path.line") && e.nextElementSibling);
		const lines = [...plot.querySelectorAll("path.line")].map((path) => {
			const look = path.classList[1], key = keys.find((k) => k.classList.contains(look));
			return { path, look, key, name: key ? key.nextElementSibling.textContent : "", at: points(path.getAttribute("d")) };
		}).sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
		const high = plot.getAttribute("height"), frame = plot.parentNode;
		const ticks = [...frame.children].filter((e) => e.matches("line[x1], text.x"));
		const cursor = draw(frame, "line", { class: "cursor off", y2: high });
		const pick = draw(frame, "rect", { class: "pick off", height: high });
		const readout = document.createElement("p");
		readout.className = "readout";
		readout.setAttribute("aria-hidden", "true");
		if (lines.length) figure.querySelector("figcaption").after(readout);
		return {
			svg, figure, plot, y, lines, cursor, pick, readout, ticks, x0: +svg.dataset.x0, x1: +svg.dataset.x1, extra: [],
			box: plot.getAttribute("viewBox").split(" ").map(Number), overflow: plot.getAttribute("overflow") || "hidden", from: 0, to: 1,
		};
	});

	/* The charts of a section have the same time axis. */
	const together = (chart) => charts.filter((c) => c.x0 === chart.x0 && c.x1 === chart.x1 &&
		c.svg.closest("main > section") === chart.svg.closest("main > section"));

	const values = (c, part) => c.lines.filter((l) => c.y && l.at.length && !l.path.classList.contains("off")).map((l) => {
		const at = nearest(l.at, part * WIDE);
		return (l.name ? l.name + " " : "") + (at ? c.y.text(c.y.value(at[1])) : "\u2013");
	}).join("   ");

	/* A part of the time axis, and its place in the window that the chart shows; both in percent of the width. */
	const place = (c, part) => (part - c.from) / (c.to - c.from) * 100 + "%";
	const seconds = (c, part) => (c.x0 + part * (c.x1 - c.x0)) / 1000;
	const partOf = (c, seconds) => (seconds * 1000 - c.x0) / (c.x1 - c.x0);

	const show = (chart, part) => {
		const s = seconds(chart, part);
		for (const c of together(chart)) {
			c.cursor.classList.toggle("off", part < c.from || part > c.to);
			c.cursor.setAttribute("x1", place(c, part));
			c.cursor.setAttribute("x2", place(c, part));
			c.readout.textContent = s.toFixed(s < 100 ? 2 : 0) + " s   " + values(c, part);
		}
	};

	const hide = (chart) => together(chart).forEach((c) => {
		c.cursor.classList.add("off");
		c.readout.textContent = "";
	});

	/* Names at the right end of lines, which the chart shows for the whole time. */
	const ends = (c) => c.lines.forEach((l) => {
		const end = c.svg.querySelector("text.end." + l.look);
		if (end) end.classList.toggle("off", c.to - c.from < 1 || l.path.classList.contains("off"));
	});

	/* Ticks of a window, in seconds. The chart has its own for the whole time. */
	const mark = (c) => {
		const whole = c.from === 0 && c.to === 1, high = +c.plot.getAttribute("height"), span = seconds(c, c.to) - seconds(c, c.from);
		c.extra.forEach((e) => e.remove());
		c.ticks.forEach((e) => e.classList.toggle("off", !whole));
		ends(c);
		c.extra = [];
		if (whole) return;
		const ten = 10 ** Math.floor(Math.log10(span / 4)), step = [5, 2, 1].map((n) => n * ten).find((n) => n <= span / 4);
		const digits = Math.max(0, -Math.floor(Math.log10(step)));
		for (let i = Math.ceil(seconds(c, c.from) / step - 1e-9); i * step <= seconds(c, c.to) + step * 1e-9; i++) {
			const x = place(c, partOf(c, i * step));
			c.extra.push(draw(c.plot.parentNode, "line", { class: "grid", x1: x, x2: x, y2: high + 4 }));
			c.extra.push(draw(c.plot.parentNode, "text", { class: "x", x, y: high + 18 }));
			c.extra.at(-1).textContent = (i * step).toFixed(digits);
		}
		c.extra.push(draw(c.plot.parentNode, "text", { class: "unit x", x: "50%", y: high + 35 }));
		c.extra.at(-1).textContent = "time in s";
	};

	/* All charts of the section show the time between two parts of their axis. */
	const zoom = (chart, from, to) => together(chart).forEach((c) => {
		const [x, y, w, h] = c.box;
		[c.from, c.to] = to - from < SMALLEST ? [0, 1] : [Math.max(0, from), Math.min(1, to)];
		c.plot.setAttribute("viewBox", [x + c.from * w, y, (c.to - c.from) * w, h].join(" "));
		c.plot.setAttribute("overflow", c.from > 0 || c.to < 1 ? "hidden" : c.overflow);
		mark(c);
		if (c.inputs) [c.from, c.to].forEach((part, i) => { c.inputs[i].value = +seconds(c, part).toFixed(3); });
	});

	/* Buttons in place of the drawn legend. */
	const legend = (c) => {
		if (c.lines.length < 2 || c.lines.some((l) => !l.key)) return;
		const list = document.createElement("ul");
		list.className = "legend";
		for (const l of c.lines) {
			const button = add(add(list, "li"), "button");
			button.type = "button";
			button.setAttribute("aria-pressed", "true");
			add(button, "i", l.look);
			button.append(l.name);
			l.key.classList.add("off");
			l.key.nextElementSibling.classList.add("off");
			button.addEventListener("click", () => {
				const off = l.path.classList.toggle("off");
				c.plot.querySelectorAll("path.dot." + l.look).forEach((e) => e.classList.toggle("off", off));
				ends(c);
				button.setAttribute("aria-pressed", String(!off));
			});
		}
		c.readout.before(list);
		c.svg.classList.add("bare");
		c.svg.style.setProperty("--rows", new Set(c.lines.map((l) => l.key.nextElementSibling.getAttribute("y"))).size);
	};

	const input = (parent, text, attributes) => {
		const label = add(parent, "label", "", text), e = add(label, "input");
		Object.assign(e, attributes);
		return e;
	};

	/* The cursor and the window for the keyboard, above the first chart of a section. */
	const slider = (c) => {
		const bar = document.createElement("div");
		bar.className = "slide";
		add(bar, "p", "", "Point at a chart, or move the cursor, to read all charts of this section at one time. " +
			"Drag across a chart, or type two times, to see only the time between them.");
		const cursor = input(bar, "Cursor", { type: "range", max: "500", value: "0" });
		cursor.addEventListener("input", () => {
			const part = c.from + cursor.value / 500 * (c.to - c.from);
			show(c, part);
			cursor.setAttribute("aria-valuetext", c.readout.textContent);
		});
		c.inputs = ["From second", "to second"].map((text) => input(bar, text, { type: "number", min: "0", step: "any" }));
		c.inputs.forEach((e) => e.addEventListener("change", () => zoom(c, ...c.inputs.map((i) => partOf(c, i.value)))));
		const button = add(bar, "button", "", "Whole time");
		button.type = "button";
		button.addEventListener("click", () => zoom(c, 0, 1));
		c.figure.before(bar);
		zoom(c, 0, 1);
	};

	/* A drag of the mouse picks a window. */
	const drag = (c) => {
		let start = null, end = null;
		const part = (e) => {
			const box = c.plot.parentNode.querySelector("line.grid[x2='100%']:not([x1])").getBoundingClientRect();
			return c.from + (e.clientX - box.left) / box.width * (c.to - c.from);
		};
		c.svg.addEventListener("pointerdown", (e) => {
			start = e.pointerType === "mouse" && e.button === 0 ? part(e) : null;
			end = start;
			if (start !== null) e.preventDefault();
		});
		c.svg.addEventListener("pointermove", (e) => {
			const at = part(e);
			if (at >= c.from && at <= c.to) show(c, at); else hide(c);
			if (start === null) return;
			end = at;
			c.pick.classList.remove("off");
			c.pick.setAttribute("x", place(c, Math.max(c.from, Math.min(start, end))));
			c.pick.setAttribute("width", Math.abs(end - start) / (c.to - c.from) * 100 + "%");
		});
		addEventListener("pointerup", () => {
			if (start !== null && Math.abs(end - start) > (c.to - c.from) / 100) zoom(c, Math.min(start, end), Math.max(start, end));
			start = null;
			c.pick.classList.add("off");
		});
		c.svg.addEventListener("pointerleave", () => hide(c));
	};

	charts.forEach((c) => {
		legend(c);
		if (c.lines.length && together(c)[0] === c) slider(c);
		drag(c);
	});

	/* Paper shows all notes. */
	addEventListener("beforeprint", () => document.querySelectorAll("details.more").forEach((e) => { e.open = true; }));
})();
