#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clock.h"
#include "run_snapshot.h"
#include "collect.h"
#include "diskstat.h"
#include "progress_meter.h"
#include "report.h"
#include "strbuf.h"
#include "vec.h"
#include "version.h"

/* A status is skipped while more text than this waits for the reader. */
#define WAITING_BYTES (1u << 20)
#define LIST_MIB      8u

static void drop_oldest(struct status_list *l)
{
	l->bytes -= strlen(l->v[0]) + 1;
	free(l->v[0]);
	l->n--;
	memmove(l->v, l->v + 1, l->n * sizeof(*l->v));
	l->dropped++;
}

int status_list_add(struct status_list *l, const char *text, size_t max_bytes)
{
	char *copy = strdup(text);

	if (!copy || !VEC_PUSH(l, copy)) {
		free(copy);
		return -ENOMEM;
	}
	l->bytes += strlen(text) + 1;
	while (l->bytes > max_bytes && l->n > 1)
		drop_oldest(l);
	return 0;
}

void status_list_fini(struct status_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
	*l = (struct status_list){ 0 };
}

void status_init(struct status *s, const struct plan *p)
{
	*s = (struct status){ .plan = p, .opts = &p->set->run, .next_ns = UINT64_MAX };
}

uint64_t status_next_ns(const struct status *s)
{
	return s->next_ns == UINT64_MAX ? 0 : s->next_ns;
}

void status_begin(struct status *s, uint64_t now)
{
	if (s->opts->status_interval_ns)
		s->next_ns = now + s->opts->status_interval_ns;
}

/* Returns true if an interval has ended. A late status does not delay the next ones, and a missed interval
   gets no status of its own. */
static bool interval_over(struct status *s, uint64_t now)
{
	uint64_t every = s->opts->status_interval_ns, missed;

	if (now < s->next_ns)
		return false;
	missed = (now - s->next_ns) / every;
	s->missed += missed;
	s->next_ns += (missed + 1) * every;
	return true;
}

const char *status_due(struct status *s, struct run *r, uint64_t now)
{
	bool signal = r->status_requested,
	     file = now >= s->file_check_ns && !s->other_rank && status_file_take();

	if (now >= s->file_check_ns)
		s->file_check_ns = now + STATUS_FILE_POLL_NS - STATUS_FILE_POLL_NS / 8;
	r->status_requested = false;
	if (s->other_rank)
		return NULL;
	if (interval_over(s, now))
		return "interval";
	return signal ? "signal" : file ? "file" : NULL;
}

static void add_eta(struct result *res, double left_s)
{
	for (size_t i = 0; i < res->njobs; i++) {
		res->jobs[i]->eta_known = left_s >= 0;
		res->jobs[i]->eta_s = left_s >= 0 ? (uint64_t)(left_s + 0.5) : 0;
	}
}

int status_collect(const struct status *s, struct run *r, struct diskstat *disks, struct result *res)
{
	struct disk_use *use = NULL;
	unsigned n = 0;
	int ret;

	diskstat_end(disks, &use, &n);
	result_init(res, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	res->as_fio = s->opts->as_fio;
	if (!r->end_ns)
		run_live_begin(r);
	ret = collect_run(res, s->plan, r, use, n);
	if (!r->end_ns)
		run_live_end(r);
	add_eta(res, remaining_time_s(r, clock_ns()));
	free(use);
	return ret;
}

static int add_status(struct status *s, const struct result *res, const char *by)
{
	struct strbuf b = { 0 };
	int ret = report_json_status(res, by, &b);

	if (!ret)
		ret = status_list_add(&s->list, strbuf_str(&b), LIST_MIB << 20);
	strbuf_fini(&b);
	return ret;
}

static int write_output(const struct status *s, const struct result *res, unsigned formats,
			struct output_queue *q)
{
	struct strbuf b = { 0 };
	int ret = report_render(formats, s->opts->terse_version, res, &b);

	if (!ret && b.len) {
		output_queue_put(q, b.text, b.len);
		output_queue_begin(q);
	}
	strbuf_fini(&b);
	return ret;
}

static int write_status(struct status *s, const struct result *res, const char *by, struct outputs *out)
{
	bool entry = s->opts->formats & OUT_JSON && !s->opts->as_fio;
	/* DISKSPD reports at the end of a run only. */
	unsigned skip = OUT_SPANS | (entry ? OUT_JSON : 0u);
	int ret = entry ? add_status(s, res, by) : 0;

	for (size_t i = 0; i < out->n && !ret; i++)
		ret = write_output(s, res, out->v[i].formats & ~skip, &out->v[i].queue);
	return ret;
}

void status_put(struct status *s, const struct result *res, const char *by, struct outputs *out)
{
	if (outputs_backlog_exceeds(out, WAITING_BYTES) || write_status(s, res, by, out))
		s->skipped++;
}

void status_take(struct status *s, struct run *r, const char *by, struct diskstat *disks, struct outputs *out)
{
	struct result res = { 0 };

	if (outputs_backlog_exceeds(out, WAITING_BYTES) || status_collect(s, r, disks, &res))
		s->skipped++;
	else
		status_put(s, &res, by, out);
	result_free(&res);
}

void status_notes(const struct status *s, struct notes *n)
{
	if (s->list.dropped)
		notes_add(n,
			  "status: fiord.status keeps the newest %u MiB; the first %" PRIu64
			  " statuses were dropped",
			  LIST_MIB, s->list.dropped);
	if (s->missed)
		notes_add(n,
			  "--status-interval: %" PRIu64
			  " intervals ended while the status before them was being written",
			  s->missed);
	if (s->skipped)
		notes_add(n,
			  "status: %" PRIu64
			  " statuses were left out, because the output was not read or memory was short",
			  s->skipped);
}

void status_fini(struct status *s)
{
	status_list_fini(&s->list);
}

/* ---- the file that asks for a status ---- */

static bool take_file(int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return false;
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return false;
	return unlinkat(dir, name, 0) == 0; /* a file that cannot be removed would ask again and again */
}

bool status_file_take(void)
{
	static const char *const names[] = { "fio-dump-status", "fiord-dump-status" };
	const char *path = getenv("TMPDIR");
	bool any = false;
	int dir;

	dir = open(path && *path ? path : "/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		any |= take_file(dir, names[i]);
	close(dir);
	return any;
}
