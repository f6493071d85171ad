/* fromjob_dropped.c: lists the options of a job that are not translated. Its tables name the options
   that are, and those without effect. */
#include <string.h>
#include "fromjob_section.h"
#include "rows.h"
#include "strbuf.h"

#define COUNT(v) (sizeof(v) / sizeof(*(v)))

/* clang-format off */
/* Each changes the profile or adds a line to `lost`; the tests try them all. */
const char *const fromjob_translated[] = {
	"filename", "directory", "filename_format", "nrfiles", "openfiles", "file_service_type", "size", "filesize",
	"offset", "offset_increment", "allow_file_create", "fallocate", "rw", "bs", "bsrange", "bssplit", "ba",
	"bs_unaligned", "bs_is_seq_rand", "direct", "buffered", "sync", "rwmixread", "rwmixwrite", "norandommap", "randseed",
	"randrepeat", "random_distribution", "percentage_random", "random_generator", "iodepth", "io_submit_mode",
	"iodepth_batch", "iodepth_batch_complete_max", "numjobs", "stonewall", "ioengine", "runtime",
	"time_based", "ramp_time", "rate", "rate_iops", "thinktime", "thinktime_blocks", "thinktime_blocks_type",
	"invalidate", "fadvise_hint", "mem", "zero_buffers", "refill_buffers", "scramble_buffers", "buffer_pattern",
	"prio", "prioclass", "cpus_allowed", "cpumask", "cpus_allowed_policy", "iopsavgtime", "fixedbufs",
	/* options that fiord has for DISKSPD lines */
	"offset_shared", "file_weights", "iodepth_per_file", "seq_per_slot", "seq_wrap", "rwmix_shared_pos", "seq_runs",
	"rate_total", "cooldown", "ramp_only", "write_pool", "write_pool_file", "create", "create_fill",
	"create_size", "cpu_list", "cpu_order", "remote_only", "mmap_flush", "thread_group", "thread_group_depth",
	"thread_group_weight",
	NULL,
};
/* Options that do not change the load, or that are always on in DISKSPD: names, reports, permissions. */
static const char *const without_effect[] = {
	"thread", "overwrite", "random_clip", "name", "description", "group_reporting", "new_group", "kb_base", "allow_write",
	"allow_mounted_write", "create_serialize", "create_fsync", "clocksource", "gtod_cpu", "job_start_clock_id", "comm",
	"per_job_logs", "allrandrepeat",
};
/* Groups of options about reports. */
static const char *const report_groups[] = { "Report", "Logs" };
/* clang-format on */

static bool is_in(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

/* Returns true if the option needs no line in `lost`: it has no effect, or its translation adds the line.
   Options of engines are not in job_options. */
static bool is_lossless(const struct user_option *g)
{
	const struct opt_row *row = opt_find(&job_options, g->name);

	if (is_in(fromjob_translated, COUNT(fromjob_translated) - 1, g->name) ||
	    is_in(without_effect, COUNT(without_effect), g->name))
		return true;
	if (!row)
		return false;
	if (row->status == OPT_NOTED ||
	    (row->group && is_in(report_groups, COUNT(report_groups), row->group)))
		return true;
	return g->text && !strcmp(row->def ? row->def : "0", g->text);
}

void fromjob_drop(const struct section *s, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (s->f->set->njobs > 1)
		notes_add(s->f->losses, "[%s] %s", s->job->name, strbuf_str(&b));
	else
		notes_add(s->f->losses, "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

void fromjob_note(const struct section *s, const char *what)
{
	notes_add(s->f->losses, "%s", what);
}

static void drop_list(const struct section *s, const struct user_options *l, bool own)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct user_option *g = &l->v[i];

		if (is_lossless(g) || (!own && job_user_option(s->job, g->name) != g))
			continue;
		if (own)
			fromjob_drop(s, "%s%s%s", g->name, g->text ? "=" : "", g->text ? g->text : "");
		else
			notes_add(s->f->losses, "%s%s%s", g->name, g->text ? "=" : "",
				  g->text ? g->text : "");
	}
}

void fromjob_drop_others(const struct section *s)
{
	drop_list(s, &s->job->inherited, false);
	drop_list(s, &s->job->own, true);
}
