/* read_document.c: reads one document: everything but its jobs, whose entries read_job.c reads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "hosts.h"
#include "read_parts.h"
#include "total.h"

/* ---- fio's part of the document ---- */

/* Sets the names from the version: "fio-3.42-fiord1.0.0" of fiord, "fio-3.33" or "fio-3.42-135-gf5344" of
   fio. */
static void read_version(struct reader *rd, const struct read_object *o)
{
	const char *text = "", *own;
	struct result *r = rd->r;

	read_text(rd, o, "fio version", &text);
	if (!strncmp(text, "fio-", 4))
		text += 4;
	own = strstr(text, "-fiord");
	r->program = own ? "fiord" : "fio";
	r->version = own ? own + strlen("-fiord") : text;
	r->fio_version = own ? arena_strndup(&r->mem, text, (size_t)(own - text)) : text;
	if (!r->fio_version)
		read_fail(rd, -ENOMEM, NULL, "out of memory");
}

static void read_time(struct reader *rd, const struct read_object *o)
{
	uint64_t s = 0;

	read_u64(rd, o, "timestamp", &s);
	if (s > UINT64_MAX / 1000)
		read_fail(rd, -ERANGE, "timestamp", "this is too large");
	rd->r->timestamp_ms = s * 1000;
	read_u64(rd, o, "timestamp_ms", &rd->r->timestamp_ms);
}

/* fio 3.39 writes an array with an object for each host. They are kept if all hosts have the same options. */
static void read_globals_of_hosts(struct reader *rd, const struct read_object *o, const char *key)
{
	struct json_iter it = read_array(rd, o, key);
	struct result *r = rd->r;

	for (bool first = true; !rd->err && json_next(&it); first = false) {
		size_t n;
		const struct result_opt *v = read_host_options(rd, it.value, key, &n);

		if (first)
			result_globals(r, v, n);
		else if (!result_same_options(r->globals, r->nglobals, v, n))
			r->nglobals = 0;
	}
}

static void read_globals(struct reader *rd, const struct read_object *o)
{
	const char *key = "global options";
	const struct result_opt *v;
	size_t n;

	if (read_is_array(o, key)) {
		read_globals_of_hosts(rd, o, key);
	} else {
		v = read_options(rd, o, key, &n);
		result_globals(rd->r, v, n);
	}
	arena_fini(&rd->scratch);
}

static void read_jobs(struct reader *rd, const struct read_object *o)
{
	const char *key = read_has(o, "client_stats") ? "client_stats" : "jobs";
	struct json_iter it = read_array(rd, o, key);
	struct result_job *last;

	if (!read_has(o, key))
		read_fail(rd, -EINVAL, NULL, "this is not a result of fiord or fio: it has no \"jobs\"");
	for (size_t i = 0; !rd->err && json_next(&it); i++)
		read_job(rd, it.value, key, i);
	rd->r->client_stats = key[0] == 'c';
	last = rd->r->njobs ? rd->r->jobs[rd->r->njobs - 1] : NULL;
	if (rd->r->client_stats && last && !strcmp(last->name, "All clients"))
		last->hostname = NULL;
}

static void read_disks(struct reader *rd, const struct read_object *o)
{
	struct json_iter it = read_array(rd, o, "disk_util");
	struct read_object disk;

	for (size_t i = 0; !rd->err && json_next(&it); i++) {
		struct result_disk d = { 0 };

		if (!read_charge(rd, 3 * sizeof(d)) || !read_open_at(rd, &disk, it.value, "disk_util", i))
			return;
		d.members = read_has(&disk, "aggr_read_ios");
		read_figures(rd, &disk, figures_disk, &d);
		read_close(rd, &disk);
		if (!rd->err)
			result_add_disk(rd->r, &d);
	}
}

static void read_idle(struct reader *rd, const struct read_object *o)
{
	struct json_iter it = read_members(rd, o, "cpu_idleness");
	struct result_idle idle = { .on = true };
	struct read_object in;

	if (!read_open_key(rd, &in, o, "cpu_idleness"))
		return;
	read_double(rd, &in, "system", &idle.system);
	read_double(rd, &in, "unit_mean", &idle.unit_mean_us);
	read_double(rd, &in, "unit_stddev", &idle.unit_stddev_us);
	idle.cpus = read_alloc(rd, in.ix.n, sizeof(*idle.cpus));
	while (idle.cpus && json_next(&it)) {
		struct result_cpu *cpu = &idle.cpus[idle.ncpus];

		if (it.key.end - it.key.at < 7 || memcmp(it.key.at, "\"cpu-", 5) != 0)
			continue;
		cpu->number = (unsigned)strtoul(it.key.at + 5, NULL, 10);
		read_check(rd, "cpu_idleness", it.value, read_figure(it.value, &cpu->idle));
		idle.ncpus++;
	}
	if (!rd->err)
		result_set_idle(rd->r, &idle);
	read_close(rd, &in);
}

/* ---- the verdicts of assertions, which stay as they were judged ---- */

/* Returns the word of the list that the key has; the first one, with an error, if it has another. */
static unsigned read_word(struct reader *rd, const struct read_object *o, const char *key,
			  const char *const *words, unsigned n)
{
	const char *text = "";

	read_text(rd, o, key, &text);
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(words[i], text))
			return i;
	read_fail(rd, -EINVAL, key, "this word is not known");
	return 0;
}

static void read_verdict(struct reader *rd, const struct read_object *o, struct result_verdict *v)
{
	read_text(rd, o, "assertion", &v->assertion);
	read_text(rd, o, "of", &v->of);
	read_text(rd, o, "figure", &v->figure);
	read_text(rd, o, "not_measured", &v->why);
	read_double(rd, o, "measured", &v->measured);
	read_double(rd, o, "limit", &v->limit);
	read_bool(rd, o, "passed", &v->passed);
	v->op = limit_op_name[read_word(rd, o, "operator", limit_op_name, LIMIT_NE + 1)];
	v->unit = (enum limit_unit)read_word(rd, o, "unit", limit_unit_name, LIMIT_PERCENT + 1);
}

static void read_verdicts(struct reader *rd, const struct read_object *document)
{
	struct json_iter it = read_array(rd, document, "assertions");
	struct read_object o;

	for (size_t i = 0; !rd->err && json_next(&it); i++) {
		struct result_verdict v = { .assertion = "", .figure = "" };

		if (!read_charge(rd, 4 * sizeof(v)) || !read_open_at(rd, &o, it.value, "assertions", i))
			return;
		read_verdict(rd, &o, &v);
		read_close(rd, &o);
		if (!rd->err && !result_add_verdict(rd->r, &v))
			read_fail(rd, -ENOMEM, NULL, "out of memory");
	}
}

/* ---- fiord's part of the document ---- */

static void read_exit(struct reader *rd, const struct read_object *fiord)
{
	struct result_exit *e = &rd->r->exit;
	struct read_object o;
	double after_s = 0;

	if (read_open_key(rd, &o, fiord, "exit")) {
		struct json_iter it = read_array(rd, &o, "all");

		read_int(rd, &o, "code", &e->code);
		while (e->count < RESULT_CODES && json_next(&it)) {
			uint64_t code = 0;

			read_check(rd, "all", it.value, json_u64(it.value, &code));
			e->all[e->count++] = (int)(code & 255);
		}
		read_close(rd, &o);
	}
	read_int(rd, fiord, "interrupted_by", &e->signal);
	read_positive(rd, fiord, "interrupted_after_s", &after_s);
	if (after_s < 1e9)
		e->ran_ns = (uint64_t)(after_s * 1e9 + 0.5);
}

void read_notes(struct reader *rd, const struct read_object *fiord, struct result_job *job)
{
	struct json_iter it = read_array(rd, fiord, "notes");

	while (!rd->err && json_next(&it) && read_charge(rd, 128)) {
		const char *text = read_string(rd, "notes", it.value, &rd->scratch);

		if (!rd->err && job)
			result_job_note(job, "%s", text);
		else if (!rd->err)
			result_note(rd->r, "%s", text);
	}
}

/* The status entries keep their text, which report_json prints again. */
static void read_statuses(struct reader *rd, const struct read_object *fiord)
{
	struct json_iter it = read_array(rd, fiord, "status");
	size_t n = 0;
	char **text;

	while (json_next(&it))
		n++;
	text = n ? read_alloc(rd, n, sizeof(*text)) : NULL;
	it = read_array(rd, fiord, "status");
	while (text && !rd->err && json_next(&it)) {
		char *copy = read_json_text(rd, it.value, "\n      ");

		if (copy)
			text[rd->r->statuses.n++] = copy;
	}
	rd->r->statuses.text = text;
}

static void read_hosts(struct reader *rd, const struct read_object *fiord)
{
	struct json_iter it = read_array(rd, fiord, "hosts");
	struct read_object o;

	for (size_t i = 0; !rd->err && json_next(&it); i++) {
		struct result_host h = { 0 };

		if (!read_charge(rd, 4 * sizeof(h)) || !read_open_at(rd, &o, it.value, "hosts", i))
			return;
		read_figures(rd, &o, figures_host, &h);
		read_figures(rd, &o, figures_host_waves, &h);
		read_close(rd, &o);
		if (!rd->err)
			result_add_host(rd->r, &h);
	}
}

static void read_fiord(struct reader *rd, const struct read_object *o)
{
	struct read_object fiord;

	rd->r->as_fio = !read_has(o, "fiord");
	if (!read_open_key(rd, &fiord, o, "fiord"))
		return;
	read_text(rd, &fiord, "command", &rd->r->command);
	read_exit(rd, &fiord);
	read_text(rd, &fiord, "answer", &rd->r->answer);
	read_notes(rd, &fiord, NULL);
	arena_fini(&rd->scratch);
	read_environment(rd, &fiord);
	read_figures_in(rd, &fiord, "fiord.", figures_self, rd->r);
	read_hosts(rd, &fiord);
	read_series(rd, &fiord);
	read_statuses(rd, &fiord);
	arena_fini(&rd->scratch);
	read_close(rd, &fiord);
}

/* ---- figures that need the whole document ---- */

/* fio's documents describe the I/O of a job only by its options. */
static void set_from_options(const struct result *r, struct result_job *j)
{
	const char *rw = total_option(r, j, "rw"), *bs = total_option(r, j, "bs");

	j->rw = rw ? rw : total_option(r, j, "readwrite");
	j->bs = bs ? bs : total_option(r, j, "blocksize");
	j->engine = total_option(r, j, "ioengine");
}

static void set_units(const struct result *r, struct result_job *j)
{
	const char *kb_base = total_option(r, j, "kb_base"), *unit_base = total_option(r, j, "unit_base");

	j->units.kb_base = kb_base && !strcmp(kb_base, "1000") ? 1000 : 0;
	j->units.bits = unit_base && !strcmp(unit_base, "1");
}

static bool has_bins(const struct result_job *j)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		for (unsigned k = 0; k < LAT_KINDS; k++)
			if (j->bins[d][k].n)
				return true;
	return false;
}

/* Computes the groups. Shares stay as the document has them. */
static void finish(struct result *r)
{
	r->bins_off = true;
	for (size_t i = 0; i < r->njobs; i++) {
		set_units(r, r->jobs[i]);
		if (r->as_fio)
			set_from_options(r, r->jobs[i]);
		r->bins_off &= !has_bins(r->jobs[i]);
	}
	r->has_shares = true;
	result_finish(r);
}

void read_document(struct reader *rd, struct json v)
{
	struct read_object o;

	if (json_kind(v) != JSON_OBJECT)
		read_fail(rd, -EINVAL, NULL, "this is not a result of fiord or fio");
	if (!read_charge(rd, 2 * 65536) || !read_open(rd, &o, v, ""))
		return;
	read_version(rd, &o);
	read_time(rd, &o);
	read_globals(rd, &o);
	read_jobs(rd, &o);
	read_disks(rd, &o);
	read_idle(rd, &o);
	read_verdicts(rd, &o);
	read_fiord(rd, &o);
	read_close(rd, &o);
	if (!rd->err)
		finish(rd->r);
	if (rd->r->failed)
		read_fail(rd, -ENOMEM, NULL, "out of memory");
}
