/* html.js: the common cursor of the charts over time, and legend entries that hide their lines. The page is
   complete without it. It reads everything that it shows from the charts themselves. */
"use strict";
(() => {
	const NS = "http://www.w3.org/2000/svg", WIDE = 4000, FINE = 4;
	const TIME = { ns: 1, "\u00b5s": 1e3, ms: 1e6, s: 1e9, min: 6e10 };

	const add = (parent, tag, name, text) => {
		const e = document.createElement(tag);
		if (name) e.className = name;
		if (text) e.textContent = text;
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
		const cursor = document.createElementNS(NS, "line");
		cursor.setAttribute("class", "cursor off");
		cursor.setAttribute("y2", plot.getAttribute("height"));
		plot.parentNode.append(cursor);
		const readout = document.createElement("p");
		readout.className = "readout";
		readout.setAttribute("aria-hidden", "true");
		if (lines.length) figure.querySelector("figcaption").after(readout);
		return { svg, figure, plot, y, lines, cursor, readout, x0: +svg.dataset.x0, x1: +svg.dataset.x1 };
	});

	/* The charts of a section have the same time axis. */
	const together = (chart) => charts.filter((c) => c.x0 === chart.x0 && c.x1 === chart.x1 &&
		c.svg.closest("main > section") === chart.svg.closest("main > section"));

	const values = (c, part) => c.lines.filter((l) => c.y && !l.path.classList.contains("off")).map((l) => {
		const at = nearest(l.at, part * WIDE);
		return (l.name ? l.name + " " : "") + (at ? c.y.text(c.y.value(at[1])) : "\u2013");
	}).join("   ");

	const show = (chart, part) => {
		const s = part * (chart.x1 - chart.x0) / 1000;
		for (const c of together(chart)) {
			c.cursor.classList.remove("off");
			c.cursor.setAttribute("x1", part * 100 + "%");
			c.cursor.setAttribute("x2", part * 100 + "%");
			c.readout.textContent = s.toFixed(s < 100 ? 2 : 0) + " s   " + values(c, part);
		}
	};

	const hide = (chart) => together(chart).forEach((c) => {
		c.cursor.classList.add("off");
		c.readout.textContent = "";
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
				const end = c.svg.querySelector("text.end." + l.look);
				if (end) end.classList.toggle("off", off);
				button.setAttribute("aria-pressed", String(!off));
			});
		}
		c.readout.before(list);
		c.svg.classList.add("bare");
	};

	/* The cursor for the keyboard: a slider above the first chart of a section. */
	const slider = (c) => {
		const label = document.createElement("label"), input = document.createElement("input");
		label.className = "slide";
		label.textContent = "Cursor ";
		input.type = "range";
		input.max = "500";
		input.value = "0";
		input.addEventListener("input", () => {
			const part = input.value / 500;
			show(c, part);
			input.setAttribute("aria-valuetext", c.readout.textContent);
		});
		label.append(input);
		c.figure.before(label);
	};

	charts.forEach((c) => {
		legend(c);
		if (c.lines.length && together(c)[0] === c) slider(c);
		c.svg.addEventListener("pointermove", (e) => {
			const box = c.plot.getBoundingClientRect(), part = (e.clientX - box.left) / box.width;
			if (part >= 0 && part <= 1) show(c, part); else hide(c);
		});
		c.svg.addEventListener("pointerleave", () => hide(c));
	});
})();
