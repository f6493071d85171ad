#include "screen_display.h"

#include "strbuf.h"

bool screen_display_init(struct screen_display *d, const struct plan *p, int fd, uint64_t step_ns)
{
	*d = (struct screen_display){ .terminal.fd = -1 };
	if (!terminal_has_screen(fd) || !terminal_open(&d->terminal, fd) || !screen_meter_init(&d->meter, p))
		return false;
	d->utf8 = terminal_is_utf8();
	d->state.step_s = step_ns / 1000000000u;
	d->on = true;
	return true;
}

static void draw_screen(struct screen_display *d, unsigned width, unsigned height)
{
	strbuf_clear(&d->lines);
	screen_draw(&d->state, width, height, d->utf8, &d->lines);
	terminal_show(&d->terminal, strbuf_str(&d->lines), width, height);
}

void screen_display_show(struct screen_display *d, const struct run *r, const struct progress *now,
			 const char *letters)
{
	uint64_t step_s = d->state.step_s;
	unsigned width, height;

	screen_meter_read(&d->meter, r, now, letters, &d->state);
	d->state.step_s = step_s;
	terminal_size(&d->terminal, &width, &height);
	draw_screen(d, width, height);
}

void screen_display_resize(struct screen_display *d)
{
	unsigned width, height;

	if (d->state.now && terminal_size(&d->terminal, &width, &height))
		draw_screen(d, width, height);
}

void screen_display_end(struct screen_display *d)
{
	screen_meter_fini(&d->meter);
	terminal_leave(&d->terminal);
	strbuf_fini(&d->lines);
	d->state = (struct screen_state){ 0 };
	d->on = false;
}
