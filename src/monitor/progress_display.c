#include "progress_display.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "clock.h"
#include "report.h"

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
static void init_screen(struct progress_display *e, const struct run_opts *o, const struct plan *p)
{
	uint64_t every_ns = e->every_ns < SCREEN_NS ? SCREEN_NS : e->every_ns;

	if (o->eta != ETA_FULL || has_live_lines(o))
		e->screen = (struct screen_display){ .terminal.fd = -1 };
	else if (screen_display_init(&e->screen, p, fileno(e->stream), every_ns))
		e->every_ns = every_ns;
	else
		screen_display_end(&e->screen);
}

void progress_display_init(struct progress_display *e, const struct run_opts *o, const struct plan *p)
{
	*e = (struct progress_display){ .stream = o->as_fio ? stdout : stderr };
	e->terminal = isatty(fileno(e->stream));
	e->every_ns = o->eta_interval_ns ? o->eta_interval_ns : 500000000u;
	e->newline_ns = o->eta_newline_ns;
	init_screen(e, o, p);
	e->on = o->eta == ETA_ALWAYS || e->screen.on ||
		(o->eta != ETA_NEVER && e->terminal && o->formats & OUT_TEXT);
	if (o->as_fio && !o->output.path && o->output.formats && !(o->output.formats & OUT_NORMAL))
		e->on = false; /* stdout belongs to the document */
	if (o->as_fio && o->live && !strcmp(o->live, "-"))
		e->on = false; /* or to the lines */
	e->on = e->on && progress_meter_init(&e->meter, p);
	if (!e->on)
		screen_display_end(&e->screen);
}

void progress_display_interval(struct progress_display *e, uint32_t job, unsigned track,
			       const struct ival *rec)
{
	if (e->screen.on)
		screen_meter_interval(&e->screen.meter, job, track, rec);
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

	report_progress(&e->shown_progress, &b);
	fprintf(e->stream, "%s%s", strbuf_str(&b), e->terminal ? "\033[K\r" : "\r");
	strbuf_fini(&b);
}

/* Draws the same line again if the terminal was resized. */
static void resize(struct progress_display *e)
{
	unsigned fits = e->terminal && e->shown ? columns(fileno(e->stream)) : e->shown_progress.columns;

	if (fits == e->shown_progress.columns)
		return;
	e->shown_progress.columns = fits;
	draw(e);
	fflush(e->stream);
}

void progress_display_show(struct progress_display *e, const struct run *r)
{
	uint64_t now = clock_ns();

	if (!e->on)
		return;
	if (now + TICK_NS / 2 < e->next_ns) {
		if (e->screen.on)
			screen_display_resize(&e->screen);
		else
			resize(e);
		return;
	}
	e->next_ns = now + e->every_ns;
	progress_meter_read(&e->meter, r, &e->shown_progress);
	e->shown_progress.columns = e->terminal ? columns(fileno(e->stream)) : 0;
	if (e->others.add)
		e->others.add(e->others.ctx, &e->shown_progress);
	if (e->screen.on) {
		screen_display_show(&e->screen, r, &e->shown_progress, e->meter.states);
		return;
	}
	draw(e);
	if (e->newline_ns && now - e->last_newline_ns >= e->newline_ns) {
		fputc('\n', e->stream);
		e->last_newline_ns = now;
	}
	fflush(e->stream);
	e->shown = true;
}

static void end_line(struct progress_display *e)
{
	if (!e->shown)
		return;
	fputs(e->terminal ? "\033[K" : "\n", e->stream);
	fflush(e->stream); /* the document is written without stdio */
	e->shown = false;
	e->next_ns = 0;
}

void progress_display_break(struct progress_display *e)
{
	if (e->screen.on && isatty(STDOUT_FILENO))
		terminal_leave(&e->screen.terminal);
	if (e->terminal || e->stream == stdout)
		end_line(e);
}

void progress_display_end(struct progress_display *e)
{
	end_line(e);
	screen_display_end(&e->screen);
	progress_meter_fini(&e->meter);
	e->on = false;
}

bool progress_display_blocked(const struct progress_display *e)
{
	return output_queue_waiting(&e->screen.terminal.out);
}

void progress_display_wait(struct progress_display *e)
{
	terminal_wait(&e->screen.terminal);
}

void progress_display_fini(struct progress_display *e)
{
	progress_display_end(e);
	terminal_close(&e->screen.terminal);
}
