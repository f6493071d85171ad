#include "svg.h"

/* Colours: Okabe and Ito's palette, which people with any colour vision can tell apart; brighter on dark. */
static const char light[] =
	"--chart-text:#3c4650;--chart-grid:#e1e5ea;--chart-back:#fff;"
	"--chart-read:#0072b2;--chart-write:#c2500a;--chart-trim:#00805c;"
	"--chart-p50:#0072b2;--chart-p99:#c2500a;--chart-p999:#8a2f7d;--chart-max:#5c6670;"
	"--chart-h1:#dcebf7;--chart-h2:#bfdaef;--chart-h3:#98c4e3;--chart-h4:#6ca9d3;"
	"--chart-h5:#448cc0;--chart-h6:#246ea8;--chart-h7:#0f4f86;--chart-h8:#08305a;";
static const char dark[] = "--chart-text:#c3ccd5;--chart-grid:#333c46;--chart-back:#14181d;"
			   "--chart-read:#56b4e9;--chart-write:#f0953f;--chart-trim:#3fc89a;"
			   "--chart-p50:#56b4e9;--chart-p99:#f0953f;--chart-p999:#d98ccb;--chart-max:#98a4b0;"
			   "--chart-h1:#12304a;--chart-h2:#16456c;--chart-h3:#1c5e92;--chart-h4:#2a7ab8;"
			   "--chart-h5:#4a98d3;--chart-h6:#78b6e4;--chart-h7:#aed4f1;--chart-h8:#e6f4fd;";

static const char rules[] =
	".chart{display:block;overflow:visible;width:calc(100% - 112px);margin:0 52px 0 60px;"
	"font:12px/1.2 system-ui,-apple-system,\"Segoe UI\",\"DejaVu "
	"Sans\",sans-serif;color:var(--chart-text)}\n"
	".chart text{fill:currentColor;font-variant-numeric:tabular-nums}\n"
	".chart .x{text-anchor:middle}.chart .y{text-anchor:end}.chart .unit{font-weight:600}\n"
	".chart .grid{stroke:var(--chart-grid);stroke-width:1;shape-rendering:crispEdges}\n"
	".chart .line,.chart .dot{fill:none;stroke:var(--c);stroke-width:1.6;stroke-linejoin:round;"
	"stroke-linecap:round;vector-effect:non-scaling-stroke}\n"
	".chart .dot{stroke-width:7;stroke-dasharray:none}\n"
	".chart text.end{fill:var(--c);font-weight:600}\n"
	".chart .read{--c:var(--chart-read)}.chart .write{--c:var(--chart-write)}"
	".chart .trim{--c:var(--chart-trim)}.chart .p50{--c:var(--chart-p50)}"
	".chart .p99{--c:var(--chart-p99)}.chart .p999{--c:var(--chart-p999)}"
	".chart .max,.chart .mean,.chart .other{--c:var(--chart-max)}\n"
	".chart .line.write,.chart .line.p99{stroke-dasharray:7 4}"
	".chart .line.trim,.chart .line.p999{stroke-dasharray:2 4}"
	".chart .line.max{stroke-dasharray:1 3}.chart .line.mean{stroke-dasharray:10 3 2 3}\n"
	"@media(max-width:640px){.chart{width:calc(100% - 70px);margin-right:10px}"
	".chart .end,.chart .odd{display:none}}\n";

void svg_style(struct strbuf *b)
{
	strbuf_printf(b, ":root{%s}\n@media(prefers-color-scheme:dark){:root{%s}}\n", light, dark);
	strbuf_printf(b, ":root[data-theme=light]{%s}\n:root[data-theme=dark]{%s}\n", light, dark);
	strbuf_printf(b, "@media print{:root,:root[data-theme=dark]{%s}}\n", light);
	strbuf_puts(b, rules);
}
