/* read_hosts.c: reads fiord.hosts, the ranks of a run on several hosts. */
#include <errno.h>
#include "hosts.h"
#include "read_parts.h"

#define TIME_MAX ((uint64_t)1 << 62) /* of a start and of a duration, so that their sum cannot wrap */

static void read_ns(struct reader *rd, const struct read_object *o, const char *key, uint64_t *to)
{
	read_u64(rd, o, key, to);
	if (*to > TIME_MAX)
		read_fail(rd, -ERANGE, key, "this is too large");
}

static void read_wave(struct reader *rd, const struct read_object *o, struct result_host_wave *w)
{
	read_unsigned(rd, o, "wave", &w->wave);
	w->late_known = read_has(o, "start_late_ns");
	read_ns(rd, o, "start_ns", &w->start_ns);
	read_ns(rd, o, "start_late_ns", &w->start_late_ns);
	read_ns(rd, o, "took_ns", &w->took_ns);
}

static void read_waves(struct reader *rd, const struct read_object *o, struct result_host *h)
{
	struct json_iter it = read_array(rd, o, "waves");
	struct result_host_wave *wave;
	struct read_object in;
	size_t n = 0;

	while (json_next(&it))
		n++;
	wave = n && read_charge(rd, n * sizeof(*wave)) ? read_alloc(rd, n, sizeof(*wave)) : NULL;
	it = read_array(rd, o, "waves");
	while (wave && !rd->err && h->waves < n && json_next(&it)) {
		if (!read_open_at(rd, &in, it.value, "waves", h->waves))
			return;
		read_wave(rd, &in, &wave[h->waves++]);
		read_close(rd, &in);
	}
	h->wave = wave;
}

static void read_host(struct reader *rd, const struct read_object *o, struct result_host *h)
{
	read_text(rd, o, "hostname", &h->hostname);
	read_unsigned(rd, o, "rank", &h->rank);
	read_unsigned(rd, o, "program", &h->program);
	read_u64(rd, o, "total_ios", &h->ios);
	read_u64(rd, o, "io_bytes", &h->bytes);
	read_int(rd, o, "exit", &h->code);
	read_text(rd, o, "error", &h->error);
	read_waves(rd, o, h);
}

void read_hosts(struct reader *rd, const struct read_object *fiord)
{
	struct json_iter it = read_array(rd, fiord, "hosts");
	struct read_object o;

	for (size_t i = 0; !rd->err && json_next(&it); i++) {
		struct result_host h = { .hostname = "" };

		if (!read_charge(rd, 4 * sizeof(h)) || !read_open_at(rd, &o, it.value, "hosts", i))
			return;
		read_host(rd, &o, &h);
		read_close(rd, &o);
		if (!rd->err)
			result_add_host(rd->r, &h);
	}
}
