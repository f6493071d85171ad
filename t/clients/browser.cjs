// browser.cjs PACKAGES CHROMIUM PAGE.html RUN.json HOSTILE.html SCREENSHOTS OTHER.html...: opens pages in Chromium and prints a line
// for each check, "ok - ..." or "not ok - ...".
'use strict';
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const [packages, executablePath, pageFile, jsonFile, hostileFile, shots, ...others] = process.argv.slice(2);
const { chromium } = require(path.join(packages, 'playwright-core'));
const axe = fs.readFileSync(path.join(packages, 'axe-core', 'axe.min.js'), 'utf8');
let failures = 0;

function check(label, good, detail) {
	console.log(`${good ? 'ok' : 'not ok'} - ${label}${good || detail === undefined ? '' : ` (${detail})`}`);
	failures += !good;
}

// Opens a page, and collects its console messages, errors, dialogs and requests.
async function open(browser, file, options) {
	const context = await browser.newContext(options);
	const page = await context.newPage();
	const seen = [];

	page.on('console', m => seen.push(`console: ${m.text()}`));
	page.on('pageerror', e => seen.push(`error: ${e.message}`));
	page.on('dialog', d => { seen.push(`dialog: ${d.message()}`); d.dismiss(); });
	page.on('request', r => { if (r.url().split('#')[0] !== pathToFileURL(file).href) seen.push(`request: ${r.url()}`); });
	await page.goto(pathToFileURL(file).href);
	await page.waitForLoadState('load');
	return { page, seen, close: () => context.close() };
}

// Reads and writes together: rates are those of all I/Os over the longest run time, in whole ms; percentiles come from the bins.
function sumFigure(job, key) {
	const dirs = ['read', 'write'], response = key.startsWith('resp.'), name = key.replace('resp.', '');
	const lats = dirs.map(d => response ? job.fiord[d].resp_ns : job[d].clat_ns);
	const sum = k => dirs.reduce((n, d) => n + job[d][k], 0);
	const seconds = Math.max(...dirs.map(d => job[d].runtime)) / 1000;

	if (name === 'iops')
		return sum('total_ios') / seconds;
	if (name === 'bw_bytes')
		return sum('io_bytes') / seconds;
	const low = Math.min(...lats.map(l => l.min)), high = Math.max(...lats.map(l => l.max));
	if (name === 'max')
		return high;
	const bins = lats.flatMap(l => Object.entries(l.bins).map(([ns, n]) => [Number(ns), n])).sort((a, b) => a[0] - b[0]);
	const total = bins.reduce((n, b) => n + b[1], 0);
	let seen = 0;
	const at = bins.find(b => (seen += b[1]) >= total * Number(name.slice(1)) / 100);
	return Math.max(low, Math.min(high, at[0]));
}

// What the document says for a tile such as read.p99.9; undefined: there is no such figure.
function figure(doc, tile) {
	const [dir, ...rest] = tile.split('.');
	const job = doc.jobs[0], key = rest.join('.');
	if (dir === 'all')
		return sumFigure(job, key);
	const d = job[dir], response = key.startsWith('resp.') ? job.fiord[dir].resp_ns : undefined;
	const lat = response || (dir === 'sync' ? d.lat_ns : d.clat_ns.N ? d.clat_ns : d.lat_ns);
	const name = key.replace('resp.', '');

	if (name === 'iops')
		return d.iops;
	if (name === 'bw_bytes')
		return d.bw_bytes;
	if (name[0] === 'p')
		return lat.percentile[Number(name.slice(1)).toFixed(6)];
	return lat[name];
}

async function checkTiles(page, doc) {
	const tiles = await page.$$eval('data[data-tile]', l => l.map(e => [e.dataset.tile, Number(e.value), e.textContent]));
	// The rates of the sum are computed in ns; the document has whole ms.
	// A percentile at the edge of a bucket may be that of the next one, which is up to 1.6 % away.
	const share = tile => !tile.startsWith('all.') ? 0 : /\.p[\d.]+$/.test(tile) ? 0.017 : /iops|bw_bytes/.test(tile) ? 0.001 : 0;
	const margin = tile => figure(doc, tile) * share(tile) + 1e-5;
	const wrong = tiles.filter(([tile, value]) => !(Math.abs(figure(doc, tile) - value) < margin(tile)));

	check('the sum of all directions stands first', tiles[0][0].startsWith('all.'), tiles[0]);
	for (const tile of ['all.iops', 'all.bw_bytes', 'all.resp.p50', 'all.resp.p99', 'all.resp.p99.9', 'all.resp.max',
			    'read.iops', 'read.bw_bytes', 'read.p50', 'read.p99', 'read.p99.9', 'read.max', 'write.iops', 'write.max'])
		check(`there is a tile of ${tile}`, tiles.some(t => t[0] === tile));
	check('the tiles equal the JSON', !wrong.length, wrong.map(t => `${t[0]}: ${t[1]}, document ${figure(doc, t[0])}`));
	check('... and their texts are numbers with units', tiles.every(t => /^[\d., ]+\s*\S*$/.test(t[2])), tiles.map(t => t[2]));
}

// Runs axe in the page. The page's policy does not apply to code that the browser's protocol evaluates.
async function checkAxe(page, label) {
	await page.evaluate(axe);
	const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
	const serious = result.violations.filter(v => v.impact === 'serious' || v.impact === 'critical');

	check(`${label}: axe finds nothing serious`, !serious.length,
	      serious.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')}`).join('; '));
	check(`${label}: axe has looked`, result.testEngine.name === 'axe-core');
}

// How many colours a PNG has, and how bright it is, from 0 to 255.
async function look(page, png) {
	return page.evaluate(async url => {
		const img = await new Promise((good, bad) => {
			const i = new Image();
			i.onload = () => good(i);
			i.onerror = bad;
			i.src = url;
		});
		const c = new OffscreenCanvas(Math.min(img.width, 1280), Math.min(img.height, 4000));
		const g = c.getContext('2d');
		g.drawImage(img, 0, 0);
		const pixels = new Uint32Array(g.getImageData(0, 0, c.width, c.height).data.buffer), colours = new Map();
		for (let i = 0, from = 0; i < pixels.length; from = i) {
			const colour = pixels[i]; // neighbours often have one colour
			while (i < pixels.length && pixels[i] === colour) i++;
			colours.set(colour, (colours.get(colour) || 0) + i - from);
		}
		let light = 0;
		for (const [colour, n] of colours)
			light += n * ((colour & 255) + (colour >> 8 & 255) + (colour >> 16 & 255)) / 3;
		return { colours: colours.size, light: light / pixels.length };
	}, `data:image/png;base64,${png.toString('base64')}`);
}

const WIDE_LIGHT = [1280, 'light'], NARROW_DARK = [360, 'dark'], WIDE_DARK = [1280, 'dark'], NARROW_LIGHT = [360, 'light'];

// The looks of page N. Pages share their parts. So page 0 has two looks and each of the others one; with THOROUGH=1 the first three
// have all looks, and the others two.
function looksOf(n) {
	if (!['', '0', undefined].includes(process.env.THOROUGH))
		return n < 3 ? [WIDE_LIGHT, NARROW_DARK, WIDE_DARK, NARROW_LIGHT] : [WIDE_LIGHT, NARROW_DARK];
	return n ? [n % 2 ? NARROW_DARK : WIDE_LIGHT] : [WIDE_LIGHT, NARROW_DARK];
}

async function checkLooks(browser, file, looks) {
	const blank = await (await browser.newContext()).newPage();
	const name = path.basename(file, '.html');

	for (const [width, colorScheme] of looks) {
		const label = `${name}, ${width} px, ${colorScheme}`;
		const { page, seen, close } = await open(browser, file, { viewport: { width, height: 800 }, colorScheme });
		const png = await page.screenshot({ fullPage: true, path: path.join(shots, `${name}-${width}-${colorScheme}.png`) });
		const seenAs = await look(blank, png);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

		check(`${label}: the page is not blank`, seenAs.colours > 40, seenAs.colours);
		check(`${label}: it is ${colorScheme}`, (seenAs.light > 128) === (colorScheme === 'light'), seenAs.light);
		check(`${label}: it does not scroll sideways`, wide <= 0, wide);
		await checkAxe(page, label);
		check(`${label}: no message, no request`, !seen.length, seen);
		await close();
	}
	await blank.context().close();
}

// Every chart is an image with a name, has a size, and a table near it.
async function checkCharts(page, label) {
	const charts = await page.$$eval('svg[role=img]', l => l.map(e => {
		const box = e.getBoundingClientRect();
		return { name: e.getAttribute('aria-label') || e.getAttribute('aria-labelledby'), w: box.width, h: box.height,
			 table: !!(e.closest('figure') && e.closest('figure').parentElement.querySelector('table')) };
	}));
	const visible = charts.filter(c => c.w > 0);

	check(`${label}: there are charts`, visible.length >= 5, charts.length);
	check(`${label}: ... each with a name`, charts.every(c => c.name));
	check(`${label}: ... and a table`, charts.every(c => c.table), charts.filter(c => !c.table).map(c => c.name));
	check(`${label}: ... and a size`, visible.every(c => c.h > 20));
}

// Chromium evaluates nothing in a page without scripts, so this one is read by its boxes and texts.
async function checkWithoutScript(browser, file) {
	const { page, seen, close } = await open(browser, file, { javaScriptEnabled: false });

	check('without JavaScript the tiles are there', /\d/.test(await page.locator('data[data-tile="read.iops"]').first().textContent()));
	check('... and visible', await page.locator('data[data-tile="read.iops"]').first().isVisible());
	const svg = page.locator('svg[role=img]');
	let visible = 0;
	for (let i = 0; i < await svg.count(); i++)
		visible += await svg.nth(i).isVisible();
	check('... and the charts', visible >= 5, visible);
	await page.locator('details:has(table) summary').first().click();
	check('... and tables open', await page.locator('details[open] table').first().isVisible());
	check('... without a message', !seen.length, seen);
	await close();
}

async function checkHostile(browser) {
	const { page, seen, close } = await open(browser, hostileFile);

	check('hostile names do not run', await page.evaluate(() => globalThis.ran === undefined));
	check('... and make no elements', await page.$$eval('img, iframe, object, embed, [onerror], [onload], a[href^="javascript:"]',
	      l => l.length) === 0);
	check('... and no scripts', await page.$$eval('script', l => l.every(e => !e.textContent.includes('ran=1;'))));
	check('... and are shown as they are', (await page.textContent('body')).includes('<img src=x onerror=ran=1>'));
	check('... without a message or request', !seen.length, seen);
	await close();
}

async function checkKeyboard(page) {
	await page.keyboard.press('Tab');
	check('the first Tab shows the link to the results',
	      await page.evaluate(() => document.activeElement.getAttribute('href') === '#main'));
	await page.locator('details:has(table) summary').first().focus();
	await page.keyboard.press('Enter');
	check('Enter opens a table', await page.locator('details[open] table').first().isVisible());
}

async function checkPrint(browser, file) {
	const { page, seen, close } = await open(browser, file);
	const pdf = await page.pdf({ format: 'A4' });

	check('the page prints', pdf.length > 10000 && pdf.subarray(0, 4).toString() === '%PDF', pdf.length);
	check('... without a message', !seen.length, seen);
	fs.writeFileSync(path.join(shots, 'print.pdf'), pdf);
	await close();
}

async function main() {
	const browser = await chromium.launch({
		executablePath, headless: true,
		args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
	});
	const doc = JSON.parse(fs.readFileSync(jsonFile, 'utf8'));
	const { page, seen, close } = await open(browser, pageFile);

	await checkTiles(page, doc);
	await checkCharts(page, 'the page');
	await checkKeyboard(page);
	check('no message, no request', !seen.length, seen);
	await close();
	for (const [n, file] of [pageFile, ...others].entries())
		await checkLooks(browser, file, looksOf(n));
	await checkWithoutScript(browser, pageFile);
	await checkHostile(browser);
	await checkPrint(browser, pageFile);
	await browser.close();
}

main().then(() => process.exit(failures ? 1 : 0), e => {
	console.log(`not ok - the browser test itself (${e.stack})`);
	process.exit(1);
});
