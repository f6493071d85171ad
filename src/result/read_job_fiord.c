/* read_job_fiord.c: reads fiord's own keys in the entry of a job. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"
#include "read_parts.h"
#include "vec.h"

/* fiord's own keys about the steady state. */
static void read_steady_window(struct reader *rd, const struct read_object *fiord, struct result_steady *s)
{
	struct read_object o;

	if (!read_open_key(rd, &o, fiord, "steadystate"))
		return;
	read_u64(rd, &o, "duration_ns", &s->duration_ns);
	read_u64(rd, &o, "interval_ns", &s->interval_ns);
	read_u64(rd, &o, "attained_ns", &s->attained_ns);
	read_u64(rd, &o, "ios", &s->ios);
	read_u64(rd, &o, "bytes", &s->bytes);
	read_positive(rd, &o, "range_percent", &s->range_percent);
	read_double(rd, &o, "rise_percent", &s->rise_percent);
	read_close(rd, &o);
}

static void read_depth_figures(struct reader *rd, const struct read_object *o, struct result_depth_step *s)
{
	read_unsigned(rd, o, "clone", &s->clone);
	read_unsigned(rd, o, "depth", &s->depth);
	read_bool(rd, o, "met", &s->met);
	read_u64(rd, o, "ios", &s->ios);
	read_u64(rd, o, "within", &s->within);
	read_u64(rd, o, "ns", &s->ns);
	read_u64(rd, o, "lat_ns", &s->lat_ns);
}

static void read_depth_step(struct reader *rd, struct json v, size_t i, struct result_depth_step *s)
{
	struct read_object o;

	if (!read_open_at(rd, &o, v, "steps", i))
		return;
	read_depth_figures(rd, &o, s);
	read_close(rd, &o);
}

static void read_depth_answer(struct reader *rd, const struct read_object *search,
			      struct result_latency_target *t)
{
	struct read_object o;

	if (!read_open_key(rd, &o, search, "answer"))
		return;
	read_depth_figures(rd, &o, &t->answer);
	read_positive(rd, &o, "iops", &t->answer_iops);
	read_close(rd, &o);
}

/* fiord's own keys about the search. */
static void read_depth_search(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	struct result_latency_target *t = &j->latency_target;
	struct read_object o;
	struct json_iter it;
	struct {
		struct result_depth_step *v;
		size_t n, cap;
	} list = { 0 };
	struct result_depth_step *copy;

	if (!read_open_key(rd, &o, fiord, "latency_target"))
		return;
	read_bool(rd, &o, "found", &t->found);
	read_unsigned(rd, &o, "iodepth", &t->iodepth);
	read_u64(rd, &o, "left_out", &t->left_out);
	read_depth_answer(rd, &o, t);
	it = read_array(rd, &o, "steps");
	while (!rd->err && json_next(&it) && read_charge(rd, 2 * sizeof(*copy))) {
		struct result_depth_step s = { 0 };

		read_depth_step(rd, it.value, list.n, &s);
		if (!VEC_PUSH(&list, s))
			read_fail(rd, -ENOMEM, NULL, "out of memory");
	}
	copy = arena_array(&rd->scratch, list.n + 1, sizeof(*copy));
	if (copy && list.n)
		memcpy(copy, list.v, list.n * sizeof(*copy));
	t->step = copy;
	t->steps = copy ? list.n : 0;
	free(list.v);
	read_close(rd, &o);
	if (t->on && t->iodepth)
		j->iodepth = t->iodepth;
}

static void read_dirs_of_fiord(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		struct summary_dir *dir = &j->sum.dir[d];
		struct read_object o, exact, asked, queue;

		if (!read_open_key(rd, &o, fiord, j->mixed && !d ? "mixed" : counts_dir_name[d]))
			continue;
		if (read_open_key(rd, &exact, &o, "exact")) {
			read_positive(rd, &exact, "iops", &dir->exact_iops);
			read_positive(rd, &exact, "bw_bytes", &dir->exact_bw_bytes);
			read_close(rd, &exact);
		}
		read_lat(rd, &o, "resp_ns", j, &dir->lat[LAT_RESP], &j->bins[d][LAT_RESP]);
		read_u64(rd, &o, "unissued", &dir->unissued);
		read_u64(rd, &o, "in_flight_at_end", &dir->in_flight_at_end);
		read_u64(rd, &o, "unissued_age_ns", &dir->unissued_age_ns);
		read_u64(rd, &o, "arrivals", &dir->arrivals);
		if (read_open_key(rd, &asked, &o, "asked")) {
			read_u64(rd, &asked, "ios", &dir->asked_ios);
			read_u64(rd, &asked, "time_ns", &dir->asked_ns);
			read_positive(rd, &asked, "iops", &dir->asked_iops);
			read_close(rd, &asked);
		}
		if (read_open_key(rd, &queue, &o, "queue")) {
			read_u64(rd, &queue, "max", &dir->queue_max);
			read_positive(rd, &queue, "mean", &dir->queue_mean);
			read_close(rd, &queue);
		}
		read_close(rd, &o);
	}
}

static void read_job_self(struct reader *rd, const struct read_object *fiord, struct summary_self *s)
{
	struct read_object o;

	if (!read_open_key(rd, &o, fiord, "self"))
		return;
	s->known = true;
	read_positive(rd, &o, "user_ns_per_io", &s->user_ns);
	read_positive(rd, &o, "sys_ns_per_io", &s->sys_ns);
	read_positive(rd, &o, "core_percent", &s->core);
	read_positive(rd, &o, "waited_percent", &s->core_wait);
	read_u64(rd, &o, "preempted", &s->preempted);
	read_close(rd, &o);
}

static void read_job_notes(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	struct json_iter it = read_array(rd, fiord, "notes");

	while (!rd->err && json_next(&it) && read_charge(rd, 128)) {
		const char *text = read_string(rd, "notes", it.value, &rd->scratch);

		if (!rd->err)
			result_job_note(j, "%s", text);
	}
}

void read_job_fiord(struct reader *rd, const struct read_object *job, struct result_job *j)
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, "fiord"))
		return;
	read_unsigned(rd, &o, "members", &j->members);
	read_int(rd, &o, "pid", &j->pid);
	read_text(rd, &o, "rw", &j->rw);
	read_text(rd, &o, "bs", &j->bs);
	read_text(rd, &o, "ioengine", &j->engine);
	read_u64(rd, &o, "errors", &j->sum.errors);
	j->log.on = read_has(&o, "log_waits");
	read_u64(rd, &o, "log_waits", &j->log.waits);
	read_u64(rd, &o, "log_waited_ns", &j->log.waited_ns);
	read_u64(rd, &o, "rate_sleeps", &j->rate_sleeps);
	read_text(rd, &o, "error_text", &j->error_text);
	read_text(rd, &o, "lost", &j->lost_reason);
	read_u64(rd, &o, "lost_ios", &j->lost_ios_total);
	read_dirs_of_fiord(rd, &o, j);
	read_steady_window(rd, &o, &j->steady);
	read_depth_search(rd, &o, j);
	read_rate_steps(rd, &o, j);
	read_job_self(rd, &o, &j->sum.self);
	read_job_notes(rd, &o, j);
	read_counts(rd, &o, j);
	read_close(rd, &o);
}

/* ---- lists that are added to the job in the result ---- */

static void read_lost_ios(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	struct json_iter it = read_array(rd, fiord, "lost_io");
	struct read_object o;
	size_t n = 0;

	while (!rd->err && json_next(&it) && read_charge(rd, 3 * sizeof(struct result_lost_io))) {
		struct result_lost_io io = { .op = "", .file = "" };

		if (!read_open_at(rd, &o, it.value, "lost_io", n++))
			return;
		read_text(rd, &o, "op", &io.op);
		read_text(rd, &o, "file", &io.file);
		read_u64(rd, &o, "offset", &io.offset);
		read_u64(rd, &o, "length", &io.length);
		read_u64(rd, &o, "age_ns", &io.age_ns);
		read_int(rd, &o, "pid", &io.pid);
		if (!rd->err)
			result_job_lost_io(rd->r, j, &io);
		read_close(rd, &o);
	}
}

static void read_damage(struct reader *rd, const struct read_object *o, struct result_job *j)
{
	struct result_damage d = { .file = "", .kind = "" };

	read_text(rd, o, "file", &d.file);
	read_text(rd, o, "kind", &d.kind);
	read_text(rd, o, "expected", &d.expected);
	read_text(rd, o, "found", &d.found);
	read_u64(rd, o, "offset", &d.offset);
	read_u64(rd, o, "length", &d.length);
	read_u64(rd, o, "blocks", &d.blocks);
	d.text = d.kind;
	if (d.expected && d.found)
		d.text = arena_printf(&rd->scratch, "%s: %s expected, %s found", d.kind, d.expected, d.found);
	else
		d.expected = d.found = NULL;
	if (!rd->err)
		result_job_damage(rd->r, j, &d);
}

static void read_verify(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	struct result_verify *v = &j->verify;
	struct read_object o, damage;
	struct json_iter it;
	size_t n = 0;

	if (!read_open_key(rd, &o, fiord, "verify"))
		return;
	v->on = true;
	read_u64(rd, &o, "checked", &v->checked);
	read_u64(rd, &o, "in_part", &v->in_part);
	read_u64(rd, &o, "not_checked", &v->not_checked);
	read_u64(rd, &o, "damaged", &v->damaged);
	read_text(rd, &o, "known_by", &v->known_by);
	read_u64(rd, &o, "memory_bytes", &v->memory_bytes);
	read_u64(rd, &o, "unlisted", &v->unlisted);
	it = read_array(rd, &o, "damage");
	while (!rd->err && json_next(&it) && read_charge(rd, 3 * sizeof(struct result_damage))) {
		if (!read_open_at(rd, &damage, it.value, "damage", n++))
			break;
		read_damage(rd, &damage, j);
		read_close(rd, &damage);
	}
	read_close(rd, &o);
}

void read_job_lists(struct reader *rd, const struct read_object *job, struct result_job *j)
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, "fiord"))
		return;
	read_lost_ios(rd, &o, j);
	read_verify(rd, &o, j);
	read_files(rd, &o, j);
	read_close(rd, &o);
}
