#include "progress_display.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "clock.h"
#include "report.h"
#include "strbuf.h"

/* The line is drawn at the tick that is nearest to its time. */
#define TICK_NS 250000000u
/* The screen shows figures of at least this time. */
#define SCREEN_NS 1000000000u

/* Returns whether the lines of --live go to a terminal, where a screen would hide them. */
static bool has_live_lines(const struct run_opts *o)
{
	return o->live && !strcmp(o->live, "-") && isatty(STDOUT_FILENO);
}

/* --eta=full is a screen where the terminal can show one, else --eta=auto. */
static void init_screen(struct progress_display *d, const struct run_opts *o, const struct plan *p)
{
	uint64_t every_ns = d->every_ns < SCREEN_NS ? SCREEN_NS : d->every_ns;

	if (o->eta != ETA_FULL || has_live_lines(o))
		d->screen = (struct screen_display){ .terminal.fd = -1 };
	else if (screen_display_init(&d->screen, p, fileno(d->stream), every_ns))
		d->every_ns = every_ns;
	else
		screen_display_end(&d->screen);
}

void progress_display_init(struct progress_display *d, const struct run_opts *o, const struct plan *p)
{
	*d = (struct progress_display){ .stream = o->as_fio ? stdout : stderr };
	d->terminal = isatty(fileno(d->stream));
	d->every_ns = o->eta_interval_ns ? o->eta_interval_ns : 500000000u;
	d->newline_ns = o->eta_newline_ns;
	init_screen(d, o, p);
	d->on = o->eta == ETA_ALWAYS || d->screen.on ||
		(o->eta != ETA_NEVER && d->terminal && (!o->as_fio || o->formats & OUT_TEXT));
	if (o->as_fio && !o->output.path && o->output.formats && !(o->output.formats & OUT_NORMAL))
		d->on = false; /* stdout belongs to the document */
	if (o->as_fio && o->live && !strcmp(o->live, "-"))
		d->on = false; /* or to the lines */
	d->on = d->on && progress_meter_init(&d->meter, p);
	if (!d->on)
		screen_display_end(&d->screen);
}

void progress_display_interval(struct progress_display *d, uint32_t job, unsigned track,
			       const struct ival *rec)
{
	if (d->screen.on)
		screen_meter_interval(&d->screen.meter, job, track, rec);
}

/* Returns the width of the terminal; 0: unknown. */
static unsigned columns(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

static void draw_progress(struct progress_display *d)
{
	struct strbuf b = { 0 };

	report_progress(&d->shown_progress, &b);
	fprintf(d->stream, "%s%s", strbuf_str(&b), d->terminal ? "\033[K\r" : "\r");
	strbuf_fini(&b);
}

/* Draws the same line again if the terminal was resized. */
static void resize(struct progress_display *d)
{
	unsigned fits = d->terminal && d->shown ? columns(fileno(d->stream)) : d->shown_progress.columns;

	if (fits == d->shown_progress.columns)
		return;
	d->shown_progress.columns = fits;
	draw_progress(d);
	fflush(d->stream);
}

void progress_display_show(struct progress_display *d, const struct run *r)
{
	uint64_t now = clock_ns();

	if (!d->on)
		return;
	if (now + TICK_NS / 2 < d->next_ns) {
		if (d->screen.on)
			screen_display_resize(&d->screen);
		else
			resize(d);
		return;
	}
	d->next_ns = now + d->every_ns;
	progress_meter_read(&d->meter, r, &d->shown_progress);
	d->shown_progress.columns = d->terminal ? columns(fileno(d->stream)) : 0;
	if (d->others.add)
		d->others.add(d->others.ctx, &d->shown_progress);
	if (d->screen.on) {
		screen_display_show(&d->screen, r, &d->shown_progress, d->meter.states);
		return;
	}
	draw_progress(d);
	if (d->newline_ns && now - d->last_newline_ns >= d->newline_ns) {
		fputc('\n', d->stream);
		d->last_newline_ns = now;
	}
	fflush(d->stream);
	d->shown = true;
}

static void end_line(struct progress_display *d)
{
	if (!d->shown)
		return;
	fputs(d->terminal ? "\033[K" : "\n", d->stream);
	fflush(d->stream); /* the document is written without stdio */
	d->shown = false;
	d->next_ns = 0;
}

void progress_display_break(struct progress_display *d)
{
	if (d->screen.on && isatty(STDOUT_FILENO))
		terminal_leave(&d->screen.terminal);
	if (d->terminal || d->stream == stdout)
		end_line(d);
}

void progress_display_end(struct progress_display *d)
{
	end_line(d);
	screen_display_end(&d->screen);
	progress_meter_fini(&d->meter);
	d->on = false;
}

bool progress_display_blocked(const struct progress_display *d)
{
	return output_queue_waiting(&d->screen.terminal.out);
}

void progress_display_wait(struct progress_display *d)
{
	terminal_wait(&d->screen.terminal);
}

void progress_display_fini(struct progress_display *d)
{
	progress_display_end(d);
	terminal_close(&d->screen.terminal);
}
