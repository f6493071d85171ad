/* block_check.h: the check of blocks that were read back, and what becomes of its results. */
#ifndef BLOCK_CHECK_H
#define BLOCK_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"
#include "region.h"
#include "verify_check.h"
#include "verify_source.h"

struct verify_async;
struct verify_format;
struct worker;

/* block_check.c: the check of one block that was read back. The worker fills it in and counts its result; the
   check itself may run in another thread (verify_async). */

struct block_check {
	uint32_t file;
	struct verify_block_ref block;
	struct verify_expect expect;
	unsigned char *buf;   /* the bytes that were read: block.bytes */
	bool trimmed;         /* all bytes must be zero */
	bool maybe_trimmed;   /* all bytes may be zero: an earlier run has trimmed some blocks */
	bool writer_unknown;  /* another program may have written the block: see verify_writer */
	bool other_job;       /* another job probably wrote the block: check it by its own header */
	bool other_section;   /* a job of another section of the job file has written the block */
	struct block_run run; /* if the job only verifies: the run that wrote the block; 0: unknown */
	unsigned sharing;     /* of its bytes with other jobs: plan_verify_sharing() */
	bool mixed_writes;    /* parts may be of different writes: where blocks begin is not known */
	uint32_t unit;        /* any unit may be of another write; 0: only parts or the whole block */
	uint32_t block_max;   /* bytes of the largest block */
	bool first_read;      /* the job has not checked the block before */
	/* The result: */
	bool intact;
	bool zero;          /* all bytes are zero, perhaps because of a trim */
	bool other_write;   /* not intact, but writer_unknown, and another write has left it whole */
	bool only_parts;    /* intact, but only each part by itself: mixed_writes */
	uint64_t unchecked; /* bytes that nothing could check */
	struct verify_damage damage;
};

/* Checks the block and sets the result. */
void block_check_run(struct block_check *c, const struct verify_format *f);

/* verify_damage.c: counts and describes damaged blocks. */

struct verify_damages {
	struct region_verify *to;
	uint64_t fatal; /* damaged blocks that fail the job, because continue_on_error does not cover them */
};

/* Adds a damaged block of a file. Fails the job if verify_fatal is set. */
void verify_damages_add(struct verify_damages *v, struct worker *w, uint32_t file,
			const struct verify_damage *d);
/* Adds further damaged blocks, without saying where they are. */
void verify_damages_add_more(struct verify_damages *v, struct worker *w, uint64_t blocks);
/* Adds this many damaged blocks of a file, which lie somewhere in the range of *d. */
void verify_damages_add_some(struct verify_damages *v, struct worker *w, uint32_t file,
			     const struct verify_damage *d, uint64_t blocks);
/* Fails the job if v->fatal is not 0. */
void verify_damages_end(struct verify_damages *v, struct worker *w);

/* verify_doubtful.c: blocks that count as intact until a later block shows that they are damaged. */

struct verify_doubtful {
	uint64_t blocks; /* the first of them: */
	struct {
		uint32_t file;
		struct verify_damage damage;
	} first[VERIFY_DAMAGES];
	uint64_t *more; /* by file: blocks beyond first[]; NULL: none, or files are not counted */
};

void verify_doubtful_fini(struct verify_doubtful *v);
/* Adds a block with the damage that it may turn out to have. Until then it counts as checked and intact. */
void verify_doubtful_add(struct verify_doubtful *v, const struct worker *w, struct verify_damages *damages,
			 uint32_t file, const struct verify_damage *d);
/* Counts all these blocks as damaged, and forgets them. Their contents are gone, so verify_dump cannot dump
   them. */
void verify_doubtful_condemn(struct verify_doubtful *v, struct worker *w, struct verify_damages *damages);

/* verify_writer: finds out whether a job that only verifies (verify_only, reads), or another clone of it,
   has written the blocks in an earlier run. If it has, blocks of other writes are damaged; otherwise their
   seeds and numbers cannot be checked. The first intact block of this job decides. Intact blocks of other
   writes that are read before it wait until then. Where the job has perhaps never written a block, that of
   another write is an older one, and counts as not checked. */

struct verify_writer {
	bool own_blocks;        /* the job wrote the blocks */
	uint64_t others;        /* blocks of other jobs of this run, which were checked by their headers */
	uint64_t other_headers; /* blocks that are not checked, with headers of another kind or size */
	uint64_t older;         /* blocks that wait and turn out to be not checked, or intact */
	uint64_t zero;          /* blocks among the pending ones that are zero */
	struct verify_doubtful pending; /* blocks that wait and turn out to be damaged, or intact */
};

/* Takes the result of a check. Returns true if the block waits; then this function has counted it. */
bool verify_writer_defers(struct verify_writer *v, struct worker *w, struct verify_damages *damages,
			  const struct block_check *c);
/* Adds a note if blocks were of other jobs, of other kinds, or all of other writes. Call it once all blocks
   have been checked. */
void verify_writer_end(const struct verify_writer *v, const struct worker *w);

/* verify_newest_run: finds blocks of older runs among those that a job with verify_only reads. The newest
   write of each block is of the newest run, as the times in the headers show; an older one is left where a
   write of the newest run was lost. */

struct verify_newest_run {
	bool found;
	uint32_t run;                  /* the newest run of the blocks so far, */
	uint64_t time_ns;              /* and the newest time of its headers */
	struct verify_doubtful blocks; /* the blocks of this run, which may turn out to be old */
};

/* Counts an intact block if its run can be compared. Returns false if it cannot. */
bool verify_newest_run_counts(struct verify_newest_run *v, struct worker *w, struct verify_damages *damages,
			      const struct block_check *c);

/* verify_dump.c: writes damaged blocks to files (verify_dump=1). */

/* A job dumps at most this many blocks. */
#define VERIFY_DUMPS 32

struct verify_dumps {
	uint64_t blocks, omitted; /* dumped; not dumped, because they are beyond VERIFY_DUMPS */
	uint64_t failed;          /* files that could not be written */
	const char *rank;         /* ends the names of the files; NULL: none */
	char first[400];          /* path of the first dump, without .received and rank */
	char error[400];          /* the first failure */
};

/* Dumps a damaged block of the file at `path` into the working directory, or --aux-path: as it was read, to
   NAME.OFFSET.received, and as it should be, to NAME.OFFSET.expected. own: as far as is known, this job wrote
   the block. Other jobs' data without a pattern cannot be made again, so there is no second file for them.
   This function never replaces a file. */
void verify_dumps_add(struct verify_dumps *v, const struct clone *c, const char *path,
		      const struct verify_format *f, const struct block_check *check, bool own);
/* Adds a note about the dumps. */
void verify_dumps_end(const struct verify_dumps *v, const struct clone *c);

/* verify_uncertain.c: which contents an uncertain block may have after a crash. */

/* Returns whether the block may be as it was read: each of its sectors is of its newest durable write or of a
   newer one, or if writes were copied into a mapped file, each of its bytes. Also true if the durable write,
   or the write of a sector, cannot be known; *known becomes true if they are all known. seed: of the job. */
bool verify_uncertain_explains(const struct verify_source *s, const struct verify_format *f,
			       const struct block_check *c, uint64_t seed, bool *known);

/* verify_async.c: threads that check blocks, so that the worker can go on reading (verify_async). Each block
   is copied, because its buffer belongs to the next read. The worker takes the results back in the order in
   which it handed the blocks over, and counts them. */

/* Starts the threads, with the worker's CPUs or those of verify_async_cpus. block_bytes: of the largest
   block. Returns false after clone_fail; call verify_async_stop in any case. */
bool verify_async_start(struct worker *w, const struct verify_format *f, size_t block_bytes);
/* Ends the threads and frees a, which may be NULL. Forgets blocks that were not taken back. */
void verify_async_stop(struct verify_async *a);
/* Hands a block over, with a copy of its bytes. Only if not verify_async_full(). */
void verify_async_put(struct verify_async *a, const struct block_check *c);
/* Returns whether there is no room for another block. */
bool verify_async_full(const struct verify_async *a);
/* Returns the oldest block if it has been checked; wait: waits until it has been. Returns NULL if there is
   none. It is valid until verify_async_release, which the caller must call before the next take. */
const struct block_check *verify_async_take(struct verify_async *a, bool wait);
void verify_async_release(struct verify_async *a);
/* Adds the CPU time of the threads so far, in microseconds. a may be NULL. */
void verify_async_cpu_time(const struct verify_async *a, uint64_t *user_us, uint64_t *sys_us);

/* verify_checks.c: checks blocks that were read back, and counts the results. */

/* Checks a block that was read into buf and counts it, or hands it to a thread, which verify_async starts. */
void verify_check_block(struct worker *w, uint32_t file, const struct verify_block_ref *b,
			unsigned char *buf);
/* Counts the blocks that threads have checked; wait: all of them. */
void verify_count_checked(struct worker *w, bool wait);

#endif
