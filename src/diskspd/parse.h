/* parse.h: the state of line.c and the readers of single options, which flags.c lists. Private to
   line.c, hint.c, flags.c and parse*.c. */
#ifndef DISKSPD_PARSE_H
#define DISKSPD_PARSE_H

#include "flags.h"
#include "line.h"

struct ds_parse {
	struct ds_line *l;
	struct ds_span *span;
	struct ds_target target;    /* the options that all targets share */
	const struct ds_flag *flag; /* the row of the current argument */
	const char *const *argv;
	int argc, at; /* argv[at] is the current argument */
	bool random_given, base_given, block_given, max_given, ratio_given, zero_given;
	bool cache_given, through_given; /* -S has chosen a cache mode, or write-through */
	bool excludes_xml;               /* some option is given that does not go with -X */
	struct notes *notes;
	struct diag *d;
};

/* Refuses the current argument: "-t0: ...". Returns -EINVAL. */
int parse_err(struct ds_parse *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void parse_note(struct ds_parse *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns the argument after the current one; NULL: none. */
const char *parse_next(const struct ds_parse *p);

/* Reads a number like C's atoi(): leading blanks, a sign, digits; ignores the rest, and clamps to the
   range of int. *end, unless end is NULL: the first ignored character. */
int ds_atoi(const char *text, const char **end);
/* Reads digits and at most one suffix (B: blocks of `block` bytes). *end: the first character after them.
   Returns 0, -EINVAL if there is no digit first, -ERANGE if the size exceeds 64 bits. */
int ds_size(const char *text, enum ds_dialect dialect, uint64_t block, uint64_t *out, const char **end);

/* Reads a plain number of at least `min`. Adds a note if DISKSPD reads another number than the text shows.
   Returns 0 or -EINVAL with p->d. */
int parse_number(struct ds_parse *p, const char *text, int min, unsigned *out);
/* Reads a size without anything after it. Returns 0 or -EINVAL with p->d. */
int parse_size(struct ds_parse *p, const char *text, uint64_t *out);
/* Reads digits without anything after them, up to max. Returns 0, -EINVAL or -ERANGE. */
int parse_digits(const char *text, uint64_t max, uint64_t *out);
/* The readers of options. `arg` is the text after the flag's form. */
#define DS_READER(name) int name(struct ds_parse *p, const char *arg)
DS_READER(read_affinity);
DS_READER(read_base);
DS_READER(read_block);
DS_READER(read_buckets);
DS_READER(read_burst);
DS_READER(read_cache);
DS_READER(read_completions);
DS_READER(read_cooldown);
DS_READER(read_create);
DS_READER(read_depth);
DS_READER(read_distribution);
DS_READER(read_duration);
DS_READER(read_events);
DS_READER(read_experiments);
DS_READER(read_flush);
DS_READER(read_interlocked);
DS_READER(read_large_pages);
DS_READER(read_latency);
DS_READER(read_max);
DS_READER(read_no_affinity);
DS_READER(read_old_cache);
DS_READER(read_parallel);
DS_READER(read_parent_process);
DS_READER(read_pool_depth);
DS_READER(read_port_affinity);
DS_READER(read_port_cache);
DS_READER(read_port_content);
DS_READER(read_port_create);
DS_READER(read_port_rate);
DS_READER(read_port_engine);
DS_READER(read_priority);
DS_READER(read_progress);
DS_READER(read_random);
DS_READER(read_random_share);
DS_READER(read_rate);
DS_READER(read_report);
DS_READER(read_ring);
DS_READER(read_routines);
DS_READER(read_seed);
DS_READER(read_separation);
DS_READER(read_sequential);
DS_READER(read_signals);
DS_READER(read_stride);
DS_READER(read_think);
DS_READER(read_threads);
DS_READER(read_total_threads);
DS_READER(read_usage);
DS_READER(read_verbose);
DS_READER(read_warmup);
DS_READER(read_write);
DS_READER(read_write_buffer);
DS_READER(read_xml);

#endif
