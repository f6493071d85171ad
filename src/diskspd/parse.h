/* parse.h: between line.c, the flag table and the readers of single options; nobody else's business. */
#ifndef DISKSPD_PARSE_H
#define DISKSPD_PARSE_H

#include "flags.h"
#include "line.h"

struct ds_parse {
	struct ds_line *l;
	struct ds_span *span;
	struct ds_target target;    /* what all targets share */
	const struct ds_flag *flag; /* of the argument that is being read */
	const char *const *argv;
	int argc, at; /* argv[at] is being read */
	bool random_given, base_given, max_given, ratio_given, zero_given;
	bool cache_given, through_given; /* -S: the OS cache, write-through */
	bool excludes_xml;               /* an option that does not go with -X */
	struct notes *notes;
	struct diag *d;
};

/* "-t0: fmt". Returns -EINVAL. */
int parse_err(struct ds_parse *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void parse_note(struct ds_parse *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The argument behind the one that is being read; NULL: none. */
const char *parse_next(const struct ds_parse *p);

/* As C's atoi() reads: leading blanks, sign, digits; what follows is ignored; clamped to an int. *end, if not
   NULL: the first character that was ignored. */
int ds_atoi(const char *text, const char **end);
/* Digits and at most one suffix (B: blocks of `block` bytes). -EINVAL: does not begin with a digit, -ERANGE:
   more than 64 bits. *end: behind it. */
int ds_size(const char *text, enum ds_dialect dialect, uint64_t block, uint64_t *out, const char **end);

/* A plain number of at least `min`; a note when DISKSPD reads something else than is written. */
int parse_number(struct ds_parse *p, const char *text, int min, unsigned *out);
/* A size and nothing else. */
int parse_size(struct ds_parse *p, const char *text, uint64_t *out);
/* Digits only, up to max. */
int parse_digits(const char *text, uint64_t max, uint64_t *out);
/* The readers: flags.c lists them. */
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
DS_READER(read_pool_depth);
DS_READER(read_port_affinity);
DS_READER(read_port_cache);
DS_READER(read_port_content);
DS_READER(read_port_create);
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
