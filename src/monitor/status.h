/* status.h: results while the run goes on: at each --status-interval, for SIGUSR1, and for a dump-status
   file. Under its own name fiord collects the JSON entries for "status" of its one document. The other
   formats, and all formats under fio's name, are written at once. */
#ifndef STATUS_H
#define STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include "outputs.h"

struct diskstat;
struct notes;
struct plan;
struct result;
struct run;
struct run_opts;

/* The entries of fiord.status. Memory is bounded: when there is no room for a new entry, the oldest ones are
   dropped. */
struct status_list {
	char **v; /* JSON objects, the oldest first */
	size_t n, cap;
	size_t bytes;     /* of all texts */
	uint64_t dropped; /* entries */
};

/* Copies text to the end, and drops the oldest entries while all take more than max_bytes. The new entry
   always stays. Returns 0 or -ENOMEM. The list is zeroed at first. */
int status_list_add(struct status_list *l, const char *text, size_t max_bytes);
void status_list_fini(struct status_list *l);

struct status {
	const struct run_opts *opts;
	const struct plan *plan;
	uint64_t next_ns;        /* when the interval ends; UINT64_MAX: there is none */
	uint64_t file_check_ns;  /* when to look for the file again */
	bool other_rank;         /* another rank makes the statuses */
	struct status_list list; /* JSON entries */
	uint64_t skipped;        /* the reader of the output was slow, or memory was short */
	uint64_t missed;         /* intervals that ended while the one before was being written */
};

void status_init(struct status *s, const struct plan *p);
/* The parent calls status_due this often, to look for the file. */
#define STATUS_FILE_POLL_NS 500000000u
/* Returns when the interval ends, clock_ns(); 0: there is none. */
uint64_t status_next_ns(const struct status *s);
/* The first wave begins to run: starts the first interval. */
void status_begin(struct status *s, uint64_t now);
/* Returns the cause of a status that is due now ("interval", "signal" or "file"); NULL: none is due. */
const char *status_due(struct status *s, struct run *r, uint64_t now);
/* Takes the results so far. by: from status_due. Text goes to out; disks may be NULL. */
void status_take(struct status *s, struct run *r, const char *by, struct diskstat *disks,
		 struct outputs *out);
/* The parts of status_take, for a status that several ranks make. status_collect fills *res with the results
   of this rank so far, or at the end of its run; call result_free in any case. Returns 0 or -ENOMEM.
   status_put writes a status. */
int status_collect(const struct status *s, struct run *r, struct diskstat *disks, struct result *res);
void status_put(struct status *s, const struct result *res, const char *by, struct outputs *out);
/* Adds notes about missing statuses at the end of the run. */
void status_notes(const struct status *s, struct notes *n);
void status_fini(struct status *s);

/* A file that asks for a status: fio-dump-status (as in fio) or fiord-dump-status, in $TMPDIR
   or in /tmp without that variable. */

/* Returns whether there was such a file, and removes it. Only a regular file of this user or of root counts,
   so that other users cannot keep a run busy. */
bool status_file_take(void);

#endif
