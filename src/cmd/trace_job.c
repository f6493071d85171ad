#include "trace_job.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmdline.h"
#include "distil.h"
#include "jsonw.h"
#include "outfile.h"
#include "trace_report.h"
#include "verbs.h"

#define FIRST_WORDS    "# Made by fiord trace --to-job"
#define NAME_MAX_BYTES 64 /* of a section */

struct maker {
	struct trace *trace;
	const struct trace_source *source;
	struct trace_summary *device[TRACE_JOB_DEVICES]; /* NULL: no I/O yet */
	char name[TRACE_JOB_DEVICES][NAME_MAX_BYTES];    /* of the sections */
	uint64_t first_ns, ios;
};

int trace_job_check(const char *path, const char *const *trace, size_t traces, struct diag *d)
{
	char begin[sizeof(FIRST_WORDS) - 1];
	ssize_t got;
	int err = verb_check_output("to-job", path, trace, traces, d), fd;

	if (err)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT ? 0 : diag_err(d, -errno, "--to-job=%s: %s", path, strerror(errno));
	got = read(fd, begin, sizeof(begin));
	close(fd);
	if (got == 0 || (got == (ssize_t)sizeof(begin) && !memcmp(begin, FIRST_WORDS, sizeof(begin))))
		return 0;
	return diag_err(
		d, -EEXIST,
		"--to-job=%s: this file exists, and fiord trace did not make it; choose another name, or "
		"remove it",
		path);
}

/* ---- reading ---- */

static struct trace_summary *summary_of(struct maker *m, uint32_t device)
{
	struct trace_summary *s = m->device[device];

	if (!s) {
		s = m->device[device] = calloc(1, sizeof(*s));
		if (s)
			trace_summary_init(s, trace_facts(m->trace));
	}
	return s;
}

static int add_job_event(struct maker *m, struct trace_event *e, struct diag *d)
{
	struct trace_summary *s;

	if (e->op >= TRACE_IO_OPS)
		return 0;
	if (e->device >= TRACE_JOB_DEVICES)
		return diag_err(d, -E2BIG,
				"--to-job: the trace has more than %d devices, and each needs a section",
				TRACE_JOB_DEVICES);
	s = summary_of(m, e->device);
	e->device = 0;
	if (!s || trace_summary_add(s, e, m->source->stage))
		return diag_no_memory(d);
	return 0;
}

static int read_trace(struct maker *m, struct diag *d)
{
	struct trace_event e;
	int ret, err = 0;

	while (!err && (ret = trace_next(m->trace, &e, d)) != 0)
		err = ret < 0 ? ret : add_job_event(m, &e, d);
	m->first_ns = UINT64_MAX;
	for (unsigned i = 0; i < TRACE_JOB_DEVICES && !err; i++) {
		struct trace_summary *s = m->device[i];

		if (!s)
			continue;
		trace_summary_finish(s, trace_facts(m->trace));
		m->ios += s->all.ios;
		if (s->all.ios && s->first_ns < m->first_ns)
			m->first_ns = s->first_ns;
	}
	return err;
}

static bool has_section(const struct maker *m, unsigned i)
{
	return m->device[i] && distil_has_section(m->device[i]);
}

/* ---- the job file ---- */

static bool is_taken(const struct maker *m, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (!strcmp(m->name[k], m->name[i]))
			return true;
	return false;
}

/* Makes a name of letters, digits, dots and dashes, unlike those before it. */
static void name_section(struct maker *m, unsigned i)
{
	const char *from = trace_device(m->trace, i);
	char *to = m->name[i];
	size_t n = 0;

	while (*from == '/' || *from == '.')
		from++;
	for (; *from && n < NAME_MAX_BYTES - 8; from++)
		to[n++] = isalnum((unsigned char)*from) || *from == '.' || *from == '_' ? *from : '-';
	if (!n || to[0] == '-')
		n = (size_t)snprintf(to, NAME_MAX_BYTES, "device");
	if (!strncmp(to, "global", strlen("global"))) /* job files take it for defaults, whatever follows */
		to[0] = 'G';
	to[n] = '\0';
	for (unsigned k = 2; is_taken(m, i) && k < 100; k++)
		snprintf(to + n, NAME_MAX_BYTES - n, "-%u", k);
}

static void put_job_title(const struct maker *m, struct strbuf *b)
{
	strbuf_puts(b, FIRST_WORDS " from ");
	for (size_t i = 0; i < m->source->paths; i++) {
		strbuf_puts(b, i ? ", " : "");
		strbuf_plain(b, m->source->path[i]);
	}
	strbuf_printf(
		b,
		": %s, %" PRIu64 " I/O%s.\n"
		"# This is a like load, and not the trace: fiord trace prints how far the job is from it.\n"
		"# The jobs use files of their own in the working directory. filename= sets other targets.\n",
		trace_format_name(trace_facts(m->trace)->format), m->ios, m->ios == 1 ? "" : "s");
}

static int put_trace_job(struct maker *m, struct strbuf *b, struct diag *d)
{
	unsigned sections = 0;

	put_job_title(m, b);
	for (unsigned i = 0; i < TRACE_JOB_DEVICES; i++) {
		if (!m->device[i])
			continue;
		name_section(m, i);
		strbuf_puts(b, has_section(m, i)
				       ? "\n# Device "
				       : "\n# Left out, because it has no reads and writes: device ");
		strbuf_plain(b, trace_device(m->trace, i));
		strbuf_putc(b, '\n');
		if (!has_section(m, i))
			continue;
		sections++;
		distil_section(m->name[i], m->device[i], m->first_ns, b);
	}
	if (!sections)
		return diag_err(d, -EINVAL, "%s: the trace has no reads and writes", m->source->path[0]);
	return b->failed ? diag_no_memory(d) : 0;
}

/* ---- the comparison ---- */

static int load_job(void *ctx, const char *path, struct strbuf *out)
{
	const struct strbuf *job = ctx;

	(void)path;
	strbuf_add(out, strbuf_str(job), job->len);
	return 0;
}

static int parse_job(struct job_set *set, struct strbuf *job, struct diag *d)
{
	const struct jobfile_source from = { .load = load_job, .ctx = job };
	char program[] = "fiord", run[] = "run", name[] = "./job";
	char *argv[] = { program, run, name, NULL };
	struct cmdline c;

	return cmdline_parse_from(&from, &c, set, 3, argv, d);
}

static int compare_section(const struct maker *m, unsigned i, const struct job *job, struct jsonw *w,
			   struct strbuf *b, struct diag *d)
{
	struct trace_distance distance[TRACE_DISTANCES];
	struct trace_summary *s = calloc(1, sizeof(*s));
	const struct trace_facts facts = { .coarse = trace_facts(m->trace)->coarse };
	int err = s ? 0 : -ENOMEM;
	unsigned n;

	if (!err) {
		trace_summary_init(s, &facts);
		/* Without a limit a mistake of the job could take forever. */
		err = trace_model_run(job, 4 * m->device[i]->all.ios, s);
	}
	if (!err) {
		trace_summary_finish(s, &facts);
		n = trace_distances(m->device[i], s, distance);
		if (w)
			report_distances_json(trace_device(m->trace, i), m->name[i], distance, n, w);
		else
			report_distances_text(trace_device(m->trace, i), m->name[i], distance, n, b);
	}
	if (s)
		trace_summary_fini(s);
	free(s);
	return err ? diag_no_memory(d) : 0;
}

static int compare(const struct maker *m, const struct job_set *set, const char *path, struct jsonw *w,
		   struct strbuf *b, struct diag *d)
{
	size_t job = 0;
	int err = 0;

	if (w) {
		jsonw_object(w, NULL);
		jsonw_str(w, "job_file", path);
		jsonw_array(w, "sections");
	} else {
		strbuf_puts(b, "How far is ");
		strbuf_plain(b, path);
		strbuf_puts(
			b, " from the trace? The figures of the job come from its own offsets, sizes and due "
			   "times, as if\neach I/O took no time.\n");
	}
	for (unsigned i = 0; i < TRACE_JOB_DEVICES && !err && job < set->njobs; i++)
		if (has_section(m, i))
			err = compare_section(m, i, &set->jobs[job++], w, b, d);
	if (w) {
		jsonw_end_array(w);
		jsonw_end_object(w);
		strbuf_putc(b, '\n');
	}
	return err;
}

static void maker_fini(struct maker *m)
{
	for (unsigned i = 0; i < TRACE_JOB_DEVICES; i++)
		if (m->device[i]) {
			trace_summary_fini(m->device[i]);
			free(m->device[i]);
		}
}

int trace_job_make(struct trace *t, const struct trace_source *source, const char *path, bool json,
		   struct strbuf *b, struct diag *d)
{
	struct maker m = { .trace = t, .source = source };
	struct strbuf job = { 0 };
	struct job_set set = { 0 };
	struct jsonw w;
	int err = read_trace(&m, d);

	err = err ? err : put_trace_job(&m, &job, d);
	err = err ? err : parse_job(&set, &job, d);
	jsonw_init(&w, b);
	err = err ? err : compare(&m, &set, path, json ? &w : NULL, b, d);
	err = err ? err : outfile_write(path, strbuf_str(&job), job.len, d);
	job_set_fini(&set);
	strbuf_fini(&job);
	maker_fini(&m);
	return err;
}
