#include "svg.h"

#include "strbuf.h"

/* Colours: Okabe and Ito's palette, which people with any colour vision can tell apart; brighter on dark. */
static const char light[] =
	"--chart-text:#3c4650;--chart-grid:#e1e5ea;--chart-back:#fff;"
	"--chart-read:#0072b2;--chart-write:#c2500a;--chart-trim:#00805c;"
	"--chart-p50:#0072b2;--chart-p99:#c2500a;--chart-p999:#8a2f7d;--chart-max:#5c6670;"
	"--chart-h1:#c9dff1;--chart-h2:#aacde8;--chart-h3:#86b7dc;--chart-h4:#5f9fce;"
	"--chart-h5:#3d86bd;--chart-h6:#226ca6;--chart-h7:#104e85;--chart-h8:#08305a;";
static const char dark[] = "--chart-text:#c3ccd5;--chart-grid:#333c46;--chart-back:#14181d;"
			   "--chart-read:#56b4e9;--chart-write:#f0953f;--chart-trim:#3fc89a;"
			   "--chart-p50:#56b4e9;--chart-p99:#f0953f;--chart-p999:#d98ccb;--chart-max:#98a4b0;"
			   "--chart-h1:#1b4568;--chart-h2:#1d5580;--chart-h3:#216a9f;--chart-h4:#2f83be;"
			   "--chart-h5:#4f9dd6;--chart-h6:#7cb9e6;--chart-h7:#b0d6f2;--chart-h8:#e8f5fd;";

static const char rules[] =
	".graph{display:block;overflow:visible;width:calc(100% - 112px);margin:0 52px 0 60px;"
	"font:12px/1.2 system-ui,-apple-system,\"Segoe UI\",\"DejaVu "
	"Sans\",sans-serif;color:var(--chart-text)}\n"
	".graph text{fill:currentColor;font-variant-numeric:tabular-nums}\n"
	".graph .x{text-anchor:middle}.graph .y{text-anchor:end}.graph .unit{font-weight:600}\n"
	".graph .grid{stroke:var(--chart-grid);stroke-width:1;shape-rendering:crispEdges}\n"
	".graph .line,.graph .dot{fill:none;stroke:var(--c);stroke-width:1.6;stroke-linejoin:round;"
	"stroke-linecap:round;vector-effect:non-scaling-stroke}\n"
	".graph .dot{stroke-width:6;stroke-dasharray:none}\n"
	".graph .spread{fill:none;stroke:var(--c);stroke-width:3;stroke-opacity:.55;"
	"vector-effect:non-scaling-stroke}\n"
	".graph .dot.square{stroke-linecap:square;stroke-width:8}\n"
	".graph .area{fill:var(--c);fill-opacity:.16}"
	".graph .bar{fill:var(--c);stroke:var(--c)}.graph .bar.write{fill-opacity:.55}"
	".graph .cell{shape-rendering:crispEdges}.graph rect.cell{fill:var(--c)}"
	".graph path.cell{fill:none;stroke:var(--c)}\n"
	".graph .h1{--c:var(--chart-h1)}.graph .h2{--c:var(--chart-h2)}.graph .h3{--c:var(--chart-h3)}"
	".graph .h4{--c:var(--chart-h4)}.graph .h5{--c:var(--chart-h5)}.graph .h6{--c:var(--chart-h6)}"
	".graph .h7{--c:var(--chart-h7)}.graph .h8{--c:var(--chart-h8)}\n"
	".graph .dot.ring{--c:currentColor;stroke-width:15}"
	".graph .dot.hole{--c:var(--chart-back);stroke-width:11}\n"
	".graph text.mark{font-size:10px}.graph text.mark:not([text-anchor]){text-anchor:middle}"
	".graph text.end{fill:var(--c);font-weight:600}\n"
	".graph .read{--c:var(--chart-read)}.graph .write{--c:var(--chart-write)}"
	".graph .trim{--c:var(--chart-trim)}.graph .p50{--c:var(--chart-p50)}"
	".graph .p99{--c:var(--chart-p99)}.graph .p999{--c:var(--chart-p999)}"
	".graph .mean{--c:var(--chart-p50)}.graph .max,.graph .other{--c:var(--chart-max)}"
	".graph .limit,.graph .answer{--c:currentColor}\n"
	".graph .line.write,.graph .line.p99{stroke-dasharray:7 4}"
	".graph .line.trim,.graph .line.p999{stroke-dasharray:2 4}"
	".graph .line.max{stroke-dasharray:1 3}.graph .line.limit{stroke-dasharray:4 4}.graph "
	".line.mean{stroke-dasharray:10 3 2 3}\n"
	"@media(max-width:640px){.graph{width:calc(100% - 84px);margin-right:24px}"
	".graph .end{display:none}}\n"
	"@media print,(max-width:900px){.graph .odd{display:none}}\n";

void svg_style(struct strbuf *b)
{
	strbuf_printf(b,
		      ":root{%s}\n@media(prefers-color-scheme:dark){:root{%s}}\n:root[data-theme=light]{%s}"
		      "\n:root[data-theme=dark]{%s}\n@media print{:root,:root[data-theme=dark]{%s}}\n%s",
		      light, dark, light, dark, light, rules);
}
