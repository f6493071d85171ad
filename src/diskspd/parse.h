/* parse.h: the state of line.c and the readers of single options, which flags.c lists. Private to
   line.c, hint.c, flags.c and parse*.c. */
#ifndef DISKSPD_PARSE_H
#define DISKSPD_PARSE_H

#include <stddef.h>
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
int parse_byte_size(struct ds_parse *p, const char *text, uint64_t *out);
/* Reads digits without anything after them, up to max. Returns 0, -EINVAL or -ERANGE. */
int parse_digits(const char *text, uint64_t max, uint64_t *out);
/* The readers of options. `arg` is the text after the flag's form. ds_read_switch and ds_read_count set the
   row's field. */
typedef int ds_reader(struct ds_parse *p, const char *arg);
ds_reader ds_read_affinity, ds_read_base, ds_read_block, ds_read_buckets, ds_read_burst, ds_read_cache,
	ds_read_completions, ds_read_cooldown, ds_read_count, ds_read_create, ds_read_depth,
	ds_read_distribution, ds_read_duration, ds_read_events, ds_read_experiments, ds_read_flush,
	ds_read_interlocked, ds_read_max, ds_read_old_cache, ds_read_parent_process, ds_read_pool_depth,
	ds_read_port_affinity, ds_read_port_cache, ds_read_port_content, ds_read_port_create,
	ds_read_port_engine, ds_read_port_rate, ds_read_priority, ds_read_progress, ds_read_random,
	ds_read_random_share, ds_read_rate, ds_read_report, ds_read_ring, ds_read_seed, ds_read_separation,
	ds_read_sequential, ds_read_signals, ds_read_stride, ds_read_switch, ds_read_think, ds_read_usage,
	ds_read_verbose, ds_read_warmup, ds_read_write, ds_read_write_buffer, ds_read_xml;

/* hint.c: errors and notes with a hint, for arguments that DISKSPD refuses or that the user probably
   meant otherwise. */

/* Refuses an argument that begins with a dash and is not an option of the dialect. Returns -EINVAL. */
int hint_unknown(struct ds_parse *p, const char *arg);
/* Refuses the current option because it stands after a target. Returns -EINVAL. */
int hint_after_target(struct ds_parse *p);
/* Refuses the current target if it can only be a mistyped option (-EINVAL), or adds a note if it may be
   one (0). */
int hint_target(struct ds_parse *p);

/* Returns the length of the typographic dash at the beginning of the word; 0: none. */
size_t hint_dash_len(const char *word);

#endif
