/* peak_json.c: the JSON document of fiord peak. */
#include "jsonw.h"
#include "peak_report.h"
#include "strbuf.h"

static void put_target(struct jsonw *w, const struct peak_target *t)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "path", t->path);
	jsonw_u64(w, "bytes", t->size);
	if (*t->disk)
		jsonw_str(w, "disk", t->disk);
	if (t->node >= 0)
		jsonw_i64(w, "numa_node", t->node);
	if (t->link) {
		jsonw_str(w, "link", t->link);
		jsonw_u64(w, "link_bytes_per_s", t->link_bytes);
	}
	jsonw_bool(w, "poll_queues", t->polls);
	jsonw_array(w, "cpus");
	for (size_t i = 0; i < t->ncpus; i++)
		jsonw_u64(w, NULL, t->cpus[i]);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static void put_setting(struct jsonw *w, const struct peak_search *s, const struct peak_point *p, size_t i)
{
	const struct peak_setting *set = &p->set[i];

	jsonw_object(w, NULL);
	jsonw_str(w, "path", s->targets[i]->path);
	jsonw_str(w, "ioengine", peak_engine_names[set->engine]);
	jsonw_str(w, "rw", set->random ? "randread" : "read");
	jsonw_u64(w, "bs", set->bs);
	jsonw_u64(w, "numjobs", set->numjobs);
	jsonw_u64(w, "iodepth", set->iodepth);
	jsonw_u64(w, "batch", set->batch);
	jsonw_bool(w, "hipri", set->polling);
	if (!p->error) {
		jsonw_double(w, "iops", p->target_iops[i]);
		jsonw_double(w, "bytes_per_s", p->target_bw[i]);
	}
	jsonw_end_object(w);
}

static void put_point(struct jsonw *w, const struct peak_search *s, const struct peak_point *p)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "changed", p->tried);
	jsonw_bool(w, "repeat", p->is_repeat);
	jsonw_u64(w, "runtime_ns", p->duration_ns);
	jsonw_array(w, "targets");
	for (size_t i = 0; i < s->ntargets; i++)
		put_setting(w, s, p, i);
	jsonw_end_array(w);
	if (p->error) {
		jsonw_str(w, "error", p->error);
	} else {
		jsonw_double(w, "iops", p->iops);
		jsonw_double(w, "bytes_per_s", p->bw_bytes);
		jsonw_double(w, "clat_mean_ns", p->lat_ns);
		jsonw_double(w, "cpu_percent", p->cpu);
	}
	jsonw_end_object(w);
}

static void put_best(struct jsonw *w, const struct peak_search *s)
{
	struct strbuf sentence = { 0 };

	if (s->best >= s->npoints)
		return;
	jsonw_u64(w, "best", s->best);
	jsonw_double(w, "mean", s->mean);
	if (s->high > s->low) {
		jsonw_double(w, "low", s->low);
		jsonw_double(w, "high", s->high);
	}
	jsonw_u64(w, "repeats", s->repeats);
	jsonw_str(w, "limit", peak_end_names[s->end]);
	peak_put_sentence(&sentence, s);
	jsonw_str(w, "sentence", strbuf_str(&sentence));
	strbuf_end(&sentence, w->out);
}

static void put_search(struct jsonw *w, const struct peak_search *s)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "goal", s->goal == PEAK_IOPS ? "iops" : "bandwidth");
	jsonw_array(w, "paths");
	for (size_t i = 0; i < s->ntargets; i++)
		jsonw_str(w, NULL, s->targets[i]->path);
	jsonw_end_array(w);
	jsonw_double(w, "noise_percent", 100 * s->noise);
	jsonw_bool(w, "out_of_time", s->out_of_time);
	put_best(w, s);
	jsonw_array(w, "points");
	for (size_t i = 0; i < s->npoints; i++)
		put_point(w, s, &s->points[i]);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static void put_together(struct jsonw *w, const struct peak *p)
{
	if (p->ntargets < 2)
		return;
	jsonw_object(w, "together");
	if (peak_together_percent(p, PEAK_IOPS) > 0)
		jsonw_double(w, "iops_percent", peak_together_percent(p, PEAK_IOPS));
	if (peak_together_percent(p, PEAK_BANDWIDTH) > 0)
		jsonw_double(w, "bandwidth_percent", peak_together_percent(p, PEAK_BANDWIDTH));
	jsonw_end_object(w);
}

static void put_notes(struct jsonw *w, const struct peak *p)
{
	jsonw_array(w, "notes");
	for (size_t i = 0; i < p->nnotes; i++)
		jsonw_str(w, NULL, p->notes[i]);
	jsonw_end_array(w);
}

void report_peak_json(const struct peak *p, struct strbuf *b)
{
	struct strbuf job = { 0 };
	struct jsonw w;

	jsonw_init(&w, b);
	jsonw_object(&w, NULL);
	jsonw_u64(&w, "time_ns", p->time_ns);
	jsonw_u64(&w, "cpus", p->cpus);
	jsonw_bool(&w, "interrupted", p->signal != 0);
	jsonw_array(&w, "targets");
	for (size_t i = 0; i < p->ntargets; i++)
		put_target(&w, &p->targets[i]);
	jsonw_end_array(&w);
	put_notes(&w, p);
	jsonw_array(&w, "searches");
	for (size_t i = 0; i < p->nsearches; i++)
		put_search(&w, &p->searches[i]);
	jsonw_end_array(&w);
	put_together(&w, p);
	peak_put_job_file(&job, p);
	jsonw_str(&w, "job_file", strbuf_str(&job));
	strbuf_end(&job, b);
	jsonw_end_object(&w);
	strbuf_putc(b, '\n');
}
