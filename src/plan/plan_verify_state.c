/* plan_verify_state.c: where a job saves or finds the state of its verified writes, and the settings that
   make its blocks and their order. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include "opt.h"
#include "plan_build.h"
#include "strbuf.h"
#include "verify_state_file.h"

/* Options that decide what a write holds and where it goes. Sizes and offsets are compared as the ranges that
   they make. */
static const char *const names[] = {
	/* clang-format off */
	"verify", "verify_interval", "verify_offset", "verify_pattern", "verify_pattern_interval",
	"buffer_compress_percentage", "buffer_compress_chunk",
	"rw", "rw_sequencer", "bs", "bsrange", "bssplit", "bs_unaligned", "bs_is_seq_rand", "ba", "rwmixread",
	"norandommap", "random_generator", "random_distribution", "random_sequence_stride", "percentage_random", "offset_align",
	"file_service_type", "openfiles", "io_size", "loops", "time_based", "zonemode", "zonesize", "zonerange",
	"zoneskip",
	/* clang-format on */
};
#define NAMES (sizeof(names) / sizeof(*names))
enum { EXTRA = 8 };

static bool add_setting(struct plan_verify *v, const char *name, const char *value)
{
	v->settings[v->nsettings++] = (struct verify_state_setting){ name, value };
	return value != NULL;
}

static bool add_rows(struct build *b, struct plan_job *pj, struct strbuf *text)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct opt_row *row = opt_find(&job_options, names[i]);

		if (!row || !row->type || row->status != OPT_WORKS)
			continue;
		strbuf_clear(text);
		row->type->print(row, (const char *)&pj->job->opts + row->offset, text);
		if (!add_setting(&pj->verify, names[i], arena_strdup(&b->p->arena, strbuf_str(text))))
			return false;
	}
	return true;
}

static bool add_files(struct build *b, struct plan_job *pj, struct strbuf *text)
{
	struct arena *a = &b->p->arena;
	const char *paths;

	strbuf_clear(text);
	for (uint32_t i = 0; i < pj->nfiles; i++)
		strbuf_printf(text, "%s%s", i ? ":" : "", b->p->targets[pj->files[i].target].path);
	paths = arena_strdup(a, strbuf_str(text));
	strbuf_clear(text);
	for (uint32_t i = 0; i < pj->nfiles; i++)
		strbuf_printf(text, "%s%" PRIu64 "+%" PRIu64, i ? "," : "", pj->files[i].start,
			      pj->files[i].len);
	return add_setting(&pj->verify, VERIFY_STATE_FILES, paths) &&
	       add_setting(&pj->verify, "size", arena_strdup(a, strbuf_str(text)));
}

static int make_settings(struct build *b, struct plan_job *pj)
{
	struct plan_verify *v = &pj->verify;
	struct arena *a = &b->p->arena;
	struct strbuf text = { 0 };
	bool ok;

	v->settings = arena_array(a, NAMES + EXTRA, sizeof(*v->settings));
	ok = v->settings && add_rows(b, pj, &text) && add_files(b, pj, &text) &&
	     add_setting(v, "name", pj->job->name) &&
	     add_setting(v, "clone", arena_printf(a, "%u", pj->clone)) &&
	     add_setting(v, "randseed", arena_printf(a, "%" PRIx64, v->seed)) &&
	     add_setting(v, "number of the job", arena_printf(a, "%u", pj->index + 1)) &&
	     add_setting(v, "map", v->memory == VERIFY_MAP ? arena_printf(a, "%u", v->unit) : "none");
	/* A later run reads the number of this run from the state, and does not compare it. */
	if (ok && v->state_save)
		ok = add_setting(v, VERIFY_STATE_RUN, arena_printf(a, "%" PRIu32, v->run));
	ok = ok && !text.failed;
	strbuf_fini(&text);
	return ok ? 0 : plan_no_memory(b);
}

/* Sets the path of the state. verify_state_sync names it, or a directory if it ends with a slash. */
static int set_path(struct build *b, struct plan_job *pj)
{
	const char *sync = pj->job->opts.verify.state_sync, *dir = b->p->set->run.aux_path;
	const char *rank = b->p->set->run.rank_name;
	struct arena *a = &b->p->arena;
	char path[PATH_MAX];

	if (sync && *sync && sync[strlen(sync) - 1] != '/') {
		pj->verify.state_path = rank ? arena_printf(a, "%s.%s", sync, rank) : sync;
		return pj->verify.state_path ? 0 : plan_no_memory(b);
	}
	if (sync)
		dir = arena_strndup(a, sync, strlen(sync) > 1 ? strlen(sync) - 1 : 1);
	if (sync && !dir)
		return plan_no_memory(b);
	if (verify_state_path(path, sizeof(path), dir, pj->job->name, pj->clone, rank))
		return plan_err(b, pj->job, NULL, "{verify_state_save}: the name of the state is too long");
	pj->verify.state_path = arena_strdup(a, path);
	return pj->verify.state_path ? 0 : plan_no_memory(b);
}

static int refuse_state(struct build *b, const struct plan_job *pj)
{
	const struct verify_opts *o = &pj->job->opts.verify;

	if (o->state_load && !o->only)
		return plan_err(
			b, pj->job, "verify_state_load",
			"{verify_state_load=1}: the state says what an earlier run wrote; check that with "
			"{+verify_only=1}, and with {rw} and the other options of that run");
	if (o->state_load && !pj->verify.reads)
		return plan_err(
			b, pj->job, "verify_state_load",
			"{verify_state_load=1}: {verify=null} checks nothing; use the {verify} of the "
			"earlier run");
	if (o->state_sync && !*o->state_sync)
		return plan_err(
			b, pj->job, "verify_state_sync",
			"{verify_state_sync}: needs the path of a file, or of a directory with a slash "
			"at its end");
	if (o->state_sync && !o->state_save && !o->state_load)
		return plan_err(b, pj->job, "verify_state_sync",
				"{verify_state_sync}: needs {+verify_state_save=1}");
	return 0;
}

bool plan_verify_state_explicit(const struct job *job)
{
	return job->opts.verify.state_sync || job_user_option(job, "verify_state_save");
}

int plan_verify_state(struct build *b, struct plan_job *pj)
{
	const struct verify_opts *o = &pj->job->opts.verify;
	struct plan_verify *v = &pj->verify;
	int ret = refuse_state(b, pj);

	if (ret)
		return ret;
	v->state_load = o->state_load;
	v->state_save = v->writes && o->state_save && v->memory != VERIFY_MEMORY_NONE;
	if (!v->state_load && !v->state_save)
		return 0;
	ret = set_path(b, pj);
	return ret ? ret : make_settings(b, pj);
}
