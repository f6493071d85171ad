/* drawn.js: looks at a drawn page. drawn.find() runs in the page and returns where texts and shapes stand, which texts overlap, and
   which columns lie out of reach. drawn.faint() runs in an empty page, which may read the pixels of a screenshot, and returns the
   texts and shapes that do not stand out there. */
"use strict";
globalThis.drawn = (() => {
	/* Contrast that a mark needs with its background. The Web Content Accessibility Guidelines ask for 4.5 in texts and 3 in graphics
	   that carry data. Soft edges take some of it from thin strokes. Grids and shades need only be seen. */
	const TEXT = 4, DATA = 2.5, GRID = 1.1, SHADE = 1.05;
	const FAINT = { grid: GRID, zero: GRID, area: SHADE, cell: SHADE };
	const EMPTY = 14; /* pixels of a chart that may be empty above it */
	const SAMPLES = 24; /* points of an outline that are looked at; dashed lines have gaps at most of them */

	/* The part of a box that its scrolling and clipping ancestors show. */
	const clip = (element, box) => {
		let { left, top, right, bottom } = box;
		for (let e = element; e && e !== document.body; e = e.parentElement)
			if (!(e instanceof SVGElement) && getComputedStyle(e).overflowX !== "visible") {
				const c = e.getBoundingClientRect();
				[left, right] = [Math.max(left, c.left), Math.min(right, c.right)];
				[top, bottom] = [Math.max(top, c.top), Math.min(bottom, c.bottom)];
			}
		return { left, top, right, bottom };
	};
	const short = (e, text) => `${e.closest("[class]")?.getAttribute("class") || e.tagName}: ${text.trim().slice(0, 30)}`;

	const boxes = (node, start, end) => {
		const range = document.createRange();
		range.setStart(node, start);
		range.setEnd(node, end);
		return range.getClientRects();
	};

	/* The lines of all texts, each as a box with the element that has it. */
	const texts = () => {
		const out = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = walk.nextNode(); node; node = walk.nextNode()) {
			const e = node.parentElement;
			if (!node.data.trim() || e.closest("title, desc, script, style") || !e.checkVisibility()) continue;
			/* Spaces that hang at the end of a line have boxes in preformatted text. */
			for (const [start, end] of e.closest("pre") ? [...node.data.matchAll(/\S+/g)].map((m) => [m.index, m.index + m[0].length]) : [[0, node.length]])
				for (const r of boxes(node, start, end)) {
					const c = clip(e, r);
					if (c.right - c.left > 2 && c.bottom - c.top > 4 && c.right > 0) out.push({ e, text: node.data, ...c });
				}
		}
		return out;
	};

	/* Texts of one element may share a line; so may a text and its ancestor's. */
	const overlaps = (list) => {
		const out = [], sorted = [...list].sort((a, b) => a.top - b.top);
		for (let i = 0; i < sorted.length; i++)
			for (let k = i + 1; k < sorted.length && sorted[k].top < sorted[i].bottom - 3; k++) {
				const a = sorted[i], b = sorted[k];
				const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
				const high = Math.min(a.bottom, b.bottom) - b.top;
				if (a.e !== b.e && wide > 1.5 && high > 3) out.push(`"${short(a.e, a.text)}" and "${short(b.e, b.text)}"`);
			}
		return out;
	};

	/* Texts in the plot of a chart that lines or points run through. Gradations and areas may lie behind texts. */
	const MARKS = "path.line, path.dot, path.spread";
	const struck = () => {
		const out = [];
		for (const chart of document.querySelectorAll("svg.graph")) {
			const boxes = [...chart.querySelectorAll("text")].filter((t) => t.checkVisibility()).map((t) => [t, t.getBoundingClientRect()]);
			for (const mark of chart.querySelectorAll(MARKS)) {
				/* Asking for a point of a long path is slow, so only marks whose box meets a text are followed. */
				const m = mark.getBoundingClientRect();
				const near = boxes.filter(([, r]) => m.left < r.right && m.right > r.left && m.top < r.bottom && m.bottom > r.top);
				if (!mark.getAttribute("d") || !near.length) continue;
				const matrix = mark.getScreenCTM(), length = mark.getTotalLength(), steps = Math.max(1, Math.min(4000, Math.ceil(length)));
				for (let i = 0; i <= steps; i++) {
					const p = mark.getPointAtLength(length * i / steps).matrixTransform(matrix);
					for (const [t, r] of near)
						if (p.x > r.left && p.x < r.right && p.y > r.top + 3 && p.y < r.bottom - 3)
							out.push(`"${t.textContent}" and "${mark.getAttribute("class")}" in "${chart.ariaLabel}"`);
				}
			}
		}
		return [...new Set(out)];
	};

	/* Brings each column into view as a user would, by scrolling its table; paper does not scroll. */
	const beyond = (print) => {
		const out = [], wide = document.documentElement.clientWidth;
		for (const cell of document.querySelectorAll("thead th")) {
			if (!cell.checkVisibility() || !cell.textContent) continue;
			const box = cell.closest(".scroll");
			if (box && !print) box.scrollLeft = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
			const r = clip(cell, cell.getBoundingClientRect()), full = cell.offsetWidth;
			if (r.right - r.left < full - 1 || r.right > wide + 1) out.push(`column "${cell.textContent}"`);
			if (box && !print) box.scrollLeft = 0;
		}
		/* Captions stay while their table scrolls; labels of axes have no more room than the page. */
		for (const t of document.querySelectorAll("caption, svg.graph text")) {
			if (!t.checkVisibility() || !t.textContent) continue;
			const edge = t.closest(".scroll")?.getBoundingClientRect().right ?? wide;
			const right = Math.max(...[...boxes(t, 0, t.childNodes.length)].map((r) => r.right));
			if (right > Math.min(edge, wide) + 1) out.push(`"${t.textContent.slice(0, 30)}" ends ${Math.round(right - edge)} px too far right`);
		}
		/* Paper does not unfold. */
		if (print)
			for (const s of document.querySelectorAll("summary")) if (s.checkVisibility()) out.push(`folded: "${s.textContent}"`);
		const across = document.documentElement.scrollWidth - wide;
		if (across > 1) out.push(`the page is ${across} px too wide`);
		return out;
	};

	/* Points on the outline of a shape, in the coordinates of the page. */
	const outline = (shape) => {
		const length = shape.getTotalLength(), matrix = shape.getScreenCTM(), out = [];
		for (let i = 0; i < SAMPLES && matrix; i++) {
			const p = shape.getPointAtLength(length * (i + 0.5) / SAMPLES).matrixTransform(matrix);
			out.push([p.x, p.y]);
		}
		return out;
	};

	/* Charts by the values of an option: each point stands above its value, and the last one at the end of the axis. The name of a
	   point, such as "iodepth=8: 20k IOPS", has its value. */
	const misplaced = () => {
		const out = [];
		for (const chart of document.querySelectorAll("svg.graph")) {
			const middle = (e) => { const r = e.getBoundingClientRect(); return (r.left + r.right) / 2; };
			const option = chart.querySelector("text.unit.x")?.textContent;
			const ticks = new Map([...chart.querySelectorAll("text.x:not(.unit)")].filter((t) => t.checkVisibility()).map((t) => [t.textContent, middle(t)]));
			const dots = [...chart.querySelectorAll("path.dot")].filter((d) => d.querySelector("title")?.textContent.startsWith(option + "="));
			const end = chart.querySelector("line.grid[x2='100%']")?.getBoundingClientRect().right;
			if (dots.length && Math.abs(Math.max(...dots.map(middle)) - end) > 2) out.push(`the points of "${chart.ariaLabel}" do not fill it`);
			for (const dot of dots) {
				const [name, value] = dot.querySelector("title").textContent.split(":")[0].split("=");
				if (ticks.has(value) && Math.abs(ticks.get(value) - middle(dot)) > 2)
					out.push(`${name}=${value} is not above its value in "${chart.ariaLabel}"`);
				if (!ticks.has(value) && [...ticks].some(([, x]) => Math.abs(x - middle(dot)) < 0.5))
					out.push(`${name}=${value} is above another value in "${chart.ariaLabel}"`);
			}
		}
		return [...new Set(out)];
	};

	/* Empty space between the title or the legend of a chart and what is drawn. */
	const empty = () => [...document.querySelectorAll("figure > svg.graph")].map((chart) => {
		const tops = [...chart.querySelectorAll("text")].filter((t) => t.checkVisibility()).map((t) => t.getBoundingClientRect().top);
		const above = [...chart.parentElement.querySelectorAll("figcaption, .legend")].filter((e) => e.checkVisibility());
		const gap = Math.min(...tops) - Math.max(...above.map((e) => e.getBoundingClientRect().bottom));
		return above.length && tops.length && gap > EMPTY ? `${Math.round(gap)} px above "${chart.ariaLabel}"` : "";
	}).filter(Boolean);

	/* A curve needs two points: one point alone is no curve over time. Two points with an empty interval between them are dots. */
	const lone = () => [...document.querySelectorAll("svg.graph[data-x0]")].filter((chart) => {
		const lines = [...chart.querySelectorAll("svg.plot path.line")];
		const dots = [...chart.querySelectorAll("svg.plot path.dot")].map((dot) => dot.getAttribute("d").split("M").length - 1);
		return (lines.some((l) => l.getAttribute("d")) || dots.length) && Math.max(0, ...dots) < 2 &&
			lines.every((l) => !l.getAttribute("d") || l.getTotalLength() === 0);
	}).map((chart) => `"${chart.ariaLabel}" has single points`);

	const shapes = () => [...document.querySelectorAll("svg path, svg line, svg rect, svg circle")]
		.filter((e) => e.checkVisibility() && e.getAttribute("d") !== "")
		.map((e) => {
			const r = e.getBoundingClientRect(), name = e.getAttribute("class") || e.tagName;
			const need = FAINT[name.split(" ").find((c) => c in FAINT)] || DATA, plot = e.closest("svg.plot");
			const points = outline(e).filter(([x, y]) => { const c = clip(e, { left: x, top: y, right: x, bottom: y }); return c.left <= c.right; });
			return { what: `shape "${name}"`, need, y: r.top, points, back: !!plot };
		}).filter((s) => s.points.length);

	const find = (print) => {
		scrollTo({ top: 0, behavior: "instant" });
		const list = texts();
		const marks = list.map((t) => ({ what: `text "${short(t.e, t.text)}"`, need: TEXT, y: t.top, box: [t.left, t.top, t.right, t.bottom] }));
		return { marks: [...marks, ...shapes()], overlaps: overlaps(list), struck: struck(), beyond: beyond(print), plots: [...misplaced(), ...empty(), ...lone()] };
	};

	/* ---- in the empty page ---- */

	const linear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	const LIGHT = Array.from({ length: 256 }, (_, v) => linear(v));
	const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

	/* The pixels of a screenshot, each a number that has its colour. */
	const picture = async (png) => {
		const img = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
		const g = new OffscreenCanvas(img.width, img.height).getContext("2d", { willReadFrequently: true });
		g.drawImage(img, 0, 0);
		return { width: img.width, height: img.height, pixels: new Uint32Array(g.getImageData(0, 0, img.width, img.height).data.buffer) };
	};
	const light = (colour) => 0.2126 * LIGHT[colour & 255] + 0.7152 * LIGHT[colour >> 8 & 255] + 0.0722 * LIGHT[colour >> 16 & 255];

	/* The luminances of a part of the picture: a map from each to the number of pixels that have it. */
	const part = (p, left, top, right, bottom) => {
		const colours = new Map(), out = new Map(), l = Math.max(0, Math.round(left)), r = Math.min(p.width, Math.round(right));
		for (let y = Math.max(0, Math.round(top)); y < Math.min(p.height, Math.round(bottom)); y++)
			for (let i = y * p.width + l, end = y * p.width + r, from = i; i < end; from = i) {
				const c = p.pixels[i]; /* neighbours often have one colour */
				while (i < end && p.pixels[i] === c) i++;
				colours.set(c, (colours.get(c) || 0) + i - from);
			}
		for (const [c, n] of colours) out.set(light(c), (out.get(light(c)) || 0) + n);
		return out;
	};
	const most = (values) => [...values].reduce((a, b) => b[1] > a[1] ? b : a)[0];
	const strongest = (values, back) => Math.max(0, ...[...values.keys()].map((v) => contrast(v, back)));

	/* A text: the strongest pixel against the colour that most of its box has. A shape: the strongest pixel near a point of its outline,
	   against the page; a quarter of the points must stand out, because lines are dashed and lie below others. */
	const strength = (p, m, at, scale, page) => {
		if (m.box) {
			const [l, t, r, b] = m.box, values = part(p, l * scale, (t - at) * scale, r * scale, (b - at) * scale);
			return values.size ? strongest(values, most(values)) : 0;
		}
		const seen = m.points.map(([x, y]) =>
			strongest(part(p, x * scale - 2, (y - at) * scale - 2, x * scale + 2, (y - at) * scale + 2), page));
		return seen.sort((a, b) => b - a)[Math.floor(seen.length / 4)];
	};

	const faint = async (png, marks, at, scale) => {
		const p = await picture(png), page = most(part(p, 0, 0, p.width, 400));
		return marks.map((m) => ({ m, s: strength(p, m, at, scale, page) })).filter(({ m, s }) => !(s >= m.need))
			.map(({ m, s }) => `${m.what} has contrast ${s.toFixed(2)}`);
	};

	return { find, faint };
})();
