/* json_job_fiord.c: fiord's own keys in the entry of a job. */
#include "json_shared.h"

/* Adds fiord's keys about rate_open: the arrivals and the queue. */
static void put_queue(struct jsonw *w, const struct summary_dir *d)
{
	jsonw_u64(w, "arrivals", d->arrivals);
	jsonw_object(w, "queue");
	jsonw_u64(w, "max", d->queue_max);
	jsonw_double(w, "mean", d->queue_mean);
	jsonw_end_object(w);
}

/* Adds the rates over the exact run time; those under fio's keys are over the run time in ms. */
static void put_exact(struct jsonw *w, const struct summary_dir *d)
{
	jsonw_object(w, "exact");
	jsonw_double(w, "iops", d->exact_iops);
	jsonw_double(w, "bw_bytes", d->exact_bw_bytes);
	jsonw_end_object(w);
}

/* Adds what the rate asked for. */
static void put_asked(struct jsonw *w, const struct summary_dir *d)
{
	jsonw_object(w, "asked");
	jsonw_u64(w, "ios", d->asked_ios);
	jsonw_u64(w, "time_ns", d->asked_ns);
	jsonw_double(w, "iops", d->asked_iops);
	jsonw_end_object(w);
}

/* Adds fiord's keys about a direction with a rate. A response time begins when the I/O is due. */
static void put_response(struct jsonw *w, const struct result *r, const struct result_job *j, unsigned dir)
{
	const struct summary_dir *d = &j->sum.dir[dir];

	if (!d->lat[LAT_RESP].n && !d->unissued && !d->in_flight_at_end)
		return;
	json_lat(w, "resp_ns", &j->sum, &d->lat[LAT_RESP], r->bins_off ? NULL : &j->bins[dir][LAT_RESP]);
	jsonw_u64(w, "unissued", d->unissued);
	jsonw_u64(w, "unissued_age_ns", d->unissued_age_ns);
	jsonw_u64(w, "in_flight_at_end", d->in_flight_at_end);
	if (d->asked_ns)
		put_asked(w, d);
	if (d->arrivals)
		put_queue(w, d);
}

/* Adds fiord's keys about the directions. */
static void put_dirs(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *dir = &j->sum.dir[d];

		if (!dir->ios && !dir->unissued && !dir->in_flight_at_end)
			continue;
		jsonw_object(w, j->mixed ? "mixed" : name[d]);
		put_exact(w, dir);
		put_response(w, r, j, d);
		jsonw_end_object(w);
	}
}

/* Adds the I/Os that never completed. The number includes those that are not listed. */
static void put_lost(struct jsonw *w, const struct result_job *j)
{
	if (!j->lost_ios_total)
		return;
	jsonw_u64(w, "lost_ios", j->lost_ios_total);
	jsonw_array(w, "lost_io");
	for (unsigned i = 0; i < j->lost_ios; i++) {
		const struct result_lost_io *io = &j->lost_io[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "op", io->op);
		jsonw_str(w, "file", io->file);
		jsonw_u64(w, "offset", io->offset);
		jsonw_u64(w, "length", io->length);
		jsonw_u64(w, "age_ns", io->age_ns);
		jsonw_i64(w, "pid", io->pid);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_damage(struct jsonw *w, const struct result_damage *d)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "file", d->file);
	jsonw_u64(w, "offset", d->offset);
	jsonw_u64(w, "length", d->length);
	jsonw_u64(w, "blocks", d->blocks);
	jsonw_str(w, "kind", d->kind);
	if (d->expected) {
		jsonw_str(w, "expected", d->expected);
		jsonw_str(w, "found", d->found);
	}
	jsonw_end_object(w);
}

void json_verify_counts(struct jsonw *w, const struct result_verify *v)
{
	jsonw_u64(w, "checked", v->checked);
	jsonw_u64(w, "in_part", v->in_part);
	jsonw_u64(w, "not_checked", v->not_checked);
	jsonw_u64(w, "damaged", v->damaged);
}

/* Adds fiord's keys about verification. */
static void put_verify(struct jsonw *w, const struct result_verify *v)
{
	if (!v->on)
		return;
	jsonw_object(w, "verify");
	json_verify_counts(w, v);
	jsonw_str(w, "known_by", v->known_by);
	jsonw_u64(w, "memory_bytes", v->memory_bytes);
	jsonw_u64(w, "unlisted", v->unlisted);
	jsonw_array(w, "damage");
	for (unsigned i = 0; i < v->damages; i++)
		put_damage(w, &v->damage[i]);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

/* Adds fiord's keys about the CPU use of the job's workers. */
static void put_self(struct jsonw *w, const struct summary_self *s)
{
	if (!s->known)
		return;
	jsonw_object(w, "self");
	jsonw_double(w, "user_ns_per_io", s->user_ns);
	jsonw_double(w, "sys_ns_per_io", s->sys_ns);
	jsonw_double(w, "core_percent", s->core);
	jsonw_double(w, "waited_percent", s->core_wait);
	jsonw_u64(w, "preempted", s->preempted);
	jsonw_end_object(w);
}

/* Adds fiord's keys about the steady state. */
static void put_steady_window(struct jsonw *w, const struct result_steady *s)
{
	if (!s->on)
		return;
	jsonw_object(w, "steadystate");
	jsonw_u64(w, "duration_ns", s->duration_ns);
	jsonw_u64(w, "interval_ns", s->interval_ns);
	jsonw_u64(w, "attained_ns", s->attained_ns);
	jsonw_u64(w, "ios", s->ios);
	jsonw_u64(w, "bytes", s->bytes);
	jsonw_double(w, "range_percent", s->range_percent);
	jsonw_double(w, "rise_percent", s->rise_percent);
	jsonw_end_object(w);
}

static void put_depth_step(struct jsonw *w, const struct result_depth_step *s)
{
	jsonw_u64(w, "clone", s->clone);
	jsonw_u64(w, "depth", s->depth);
	jsonw_bool(w, "met", s->met);
	jsonw_u64(w, "ios", s->ios);
	jsonw_u64(w, "within", s->within);
	jsonw_u64(w, "ns", s->ns);
	if (s->lat_ns)
		jsonw_u64(w, "lat_ns", s->lat_ns);
}

/* Adds fiord's keys about the search for a depth. */
static void put_depth_search(struct jsonw *w, const struct result_latency_target *t)
{
	if (!t->on)
		return;
	jsonw_object(w, "latency_target");
	jsonw_bool(w, "found", t->found);
	jsonw_u64(w, "iodepth", t->iodepth);
	jsonw_u64(w, "left_out", t->left_out);
	jsonw_array(w, "steps");
	for (size_t i = 0; i < t->steps; i++) {
		jsonw_object(w, NULL);
		put_depth_step(w, &t->step[i]);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	if (t->answer.ios) {
		jsonw_object(w, "answer");
		put_depth_step(w, &t->answer);
		jsonw_double(w, "iops", t->answer_iops);
		jsonw_end_object(w);
	}
	jsonw_end_object(w);
}

void json_job_fiord(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	jsonw_object(w, "fiord");
	jsonw_u64(w, "members", j->members ? j->members : 1);
	jsonw_i64(w, "pid", j->pid);
	if (j->rw)
		jsonw_str(w, "rw", j->rw);
	if (j->bs)
		jsonw_str(w, "bs", j->bs);
	if (j->engine)
		jsonw_str(w, "ioengine", j->engine);
	jsonw_u64(w, "errors", j->sum.errors);
	if (j->log.on) {
		jsonw_u64(w, "log_waits", j->log.waits);
		jsonw_u64(w, "log_waited_ns", j->log.waited_ns);
	}
	if (j->rate_sleeps)
		jsonw_u64(w, "rate_sleeps", j->rate_sleeps);
	if (j->error)
		jsonw_str(w, "error_text", j->error_text ? j->error_text : diag_errno(j->error));
	if (j->lost_reason)
		jsonw_str(w, "lost", j->lost_reason);
	put_lost(w, j);
	put_verify(w, &j->verify);
	put_dirs(w, r, j);
	put_steady_window(w, &j->steady);
	put_depth_search(w, &j->latency_target);
	json_rate_steps(w, r, &j->rate_steps);
	put_self(w, &j->sum.self);
	json_counts(w, r, j);
	json_notes(w, &j->notes);
	json_files(w, r, j);
	jsonw_end_object(w);
}
