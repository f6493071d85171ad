#include "progress_display.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "clock.h"
#include "report.h"

/* The line is drawn at the tick that is nearest to its time. */
#define TICK_NS 250000000u

void progress_display_init(struct progress_display *e, const struct run_opts *o, const struct plan *p)
{
	*e = (struct progress_display){ .to = o->as_fio ? stdout : stderr };
	e->terminal = isatty(fileno(e->to));
	e->on = o->eta == ETA_ALWAYS || (o->eta == ETA_AUTO && e->terminal && o->formats & OUT_TEXT);
	if (o->as_fio && !o->output.path && o->output.formats && !(o->output.formats & OUT_NORMAL))
		e->on = false; /* stdout belongs to the document */
	e->every_ns = o->eta_interval_ns ? o->eta_interval_ns : 500000000u;
	e->newline_ns = o->eta_newline_ns;
	e->on = e->on && progress_meter_init(&e->meter, p);
}

/* Returns the width of the terminal; 0: unknown. */
static unsigned columns(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

static void draw(struct progress_display *e)
{
	struct strbuf b = { 0 };

	report_progress(&e->now, &b);
	fprintf(e->to, "%s%s", strbuf_str(&b), e->terminal ? "\033[K\r" : "\r");
	strbuf_fini(&b);
}

/* Draws the same line again if the terminal was resized. */
static void resize(struct progress_display *e)
{
	unsigned fits = e->terminal && e->shown ? columns(fileno(e->to)) : e->now.columns;

	if (fits == e->now.columns)
		return;
	e->now.columns = fits;
	draw(e);
	fflush(e->to);
}

void progress_display_show(struct progress_display *e, const struct run *r)
{
	uint64_t now = clock_ns();

	if (!e->on)
		return;
	if (now + TICK_NS / 2 < e->next_ns) {
		resize(e);
		return;
	}
	e->next_ns = now + e->every_ns;
	progress_meter_read(&e->meter, r, &e->now);
	e->now.columns = e->terminal ? columns(fileno(e->to)) : 0;
	if (e->others.add)
		e->others.add(e->others.ctx, &e->now);
	draw(e);
	if (e->newline_ns && now - e->last_newline_ns >= e->newline_ns) {
		fputc('\n', e->to);
		e->last_newline_ns = now;
	}
	fflush(e->to);
	e->shown = true;
}

static void end_line(struct progress_display *e)
{
	if (!e->shown)
		return;
	fputs(e->terminal ? "\033[K" : "\n", e->to);
	fflush(e->to); /* the document is written without stdio */
	e->shown = false;
	e->next_ns = 0;
}

void progress_display_break(struct progress_display *e)
{
	if (e->terminal || e->to == stdout)
		end_line(e);
}

void progress_display_end(struct progress_display *e)
{
	end_line(e);
	progress_meter_fini(&e->meter);
	e->on = false;
}
