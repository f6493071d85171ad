/* profile.h: the contents of a DISKSPD command line or XML profile as plain data, in the terms of DISKSPD's
   documentation. Paths are as given. line.h and profile_xml.h fill it, profile_check.c checks it, and job
   text, XML, command lines and explanations are written from it. The profile's arena owns strings and arrays.
 */
#ifndef DISKSPD_PROFILE_H
#define DISKSPD_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "diag.h"

/* The version whose syntax is read: 2.3, 2.2, 2.0 for lines of old articles, and diskspd-for-linux. */
enum ds_dialect { DS_DIALECT_23, DS_DIALECT_22, DS_DIALECT_20, DS_DIALECT_LINUX };

enum ds_format { DS_TEXT, DS_XML };

/* Layout of the text report. DS_LAYOUT_20: DISKSPD before 2.0.17; DS_LAYOUT_PORT: diskspd-for-linux. */
enum ds_layout {
	DS_LAYOUT_22,
	DS_LAYOUT_23,
	DS_LAYOUT_20,
	DS_LAYOUT_2017,
	DS_LAYOUT_2021,
	DS_LAYOUT_21,
	DS_LAYOUT_PORT
};

enum ds_os_cache { DS_CACHED, DS_UNBUFFERED, DS_REMOTE_ONLY /* -Sr */ };
enum ds_flush { DS_FLUSH_NONE, DS_FLUSH_VIEW, DS_FLUSH_NVM, DS_FLUSH_NVM_NO_DRAIN }; /* -Nv -Nn -Ni */
enum ds_bypass { DS_BYPASS_NONE, DS_BYPASS_PARTIAL, DS_BYPASS_FULL };                /* -Sy -SY */
enum ds_pattern { DS_SEQUENTIAL, DS_ZERO, DS_RANDOM };                               /* of write buffers */
enum ds_dist { DS_UNIFORM, DS_PERCENT, DS_ABSOLUTE };

/* One range of -rd: a share of the I/O, and the length of its range (percent of the target, or bytes). */
struct ds_range {
	unsigned io_percent;
	uint64_t length;
};

/* ThreadTarget of a profile: the thread that uses the target, and its weight (0: the target's weight). */
struct ds_thread_target {
	unsigned thread, weight;
};

struct ds_target {
	unsigned xml_line; /* of its element in an XML profile; 0: not from XML */
	char *path;
	char *given_path;        /* the path before mapping (path_map.h); NULL: not changed */
	uint64_t block;          /* -b */
	uint64_t base;           /* -B */
	uint64_t max_size;       /* -f, -B base:length: no I/O beyond this offset; 0: the target's end */
	uint64_t create_size;    /* -c; 0: not created */
	uint64_t thread_stride;  /* -T, distance of the threads' starts; 0: none */
	uint64_t stride;         /* -s, or the alignment of -r, in bytes; 0: the block size */
	unsigned random_percent; /* percent of random I/Os: 0 sequential, 100 -r, between: -rs */
	enum ds_dist dist;       /* -rd */
	struct ds_range *ranges; /* `nranges` entries */
	size_t nranges;
	unsigned depth;                          /* -o */
	unsigned threads;                        /* -t; not used if the span has threads of its own */
	unsigned weight;                         /* XML only; default 1 */
	struct ds_thread_target *thread_targets; /* XML only */
	size_t nthread_targets;
	unsigned write_percent;       /* -w, percent */
	uint64_t rate;                /* -g; 0: no limit */
	bool rate_iops;               /* the rate is in IOPS, otherwise in bytes per ms */
	unsigned burst_ios, think_ms; /* -i, -j; 0: none */
	bool burst_given, think_given;
	unsigned priority; /* -I: 1 very low, 2 low, 3 normal; 0: not set (profiles) */
	enum ds_os_cache cache;
	bool write_through; /* -Sw */
	bool mapped;        /* -Sm */
	enum ds_flush flush;
	enum ds_bypass bypass;
	enum ds_pattern pattern;                           /* -Z; DS_RANDOM: slices of a pool */
	uint64_t pool_size;                                /* -Z<size> */
	char *pool_file;                                   /* -Z<size>,<file>; NULL: random data */
	bool interlocked;                                  /* -si */
	bool parallel;                                     /* -p */
	bool hint_random, hint_sequential, hint_temporary; /* -fr -fs -ft */
	bool large_pages;                                  /* -l */
};

/* A processor to which threads are pinned. cpu DS_CPU_ALL: all of the group (2.3: -ag0). */
#define DS_CPU_ALL    (~0u)
#define DS_GROUP_CPUS 64u /* CPU 0 of group 1 is CPU 64 here */
struct ds_cpu {
	unsigned group, cpu;
};

/* Events of -e, in the order of the profile's elements. */
enum ds_event {
	DS_EV_PROCESS,
	DS_EV_THREAD,
	DS_EV_IMAGE_LOAD,
	DS_EV_DISK_IO,
	DS_EV_SOFT_FAULTS,
	DS_EV_HARD_FAULTS,
	DS_EV_NETWORK,
	DS_EV_REGISTRY,
	DS_EV_PAGED,
	DS_EV_PERF_TIMER,
	DS_EV_SYSTEM_TIMER,
	DS_EV_CYCLES,
	DS_EVENTS
};

/* The names of the events in -e: words, and letters for the clocks and for paged memory. */
extern const char *const ds_event_names[DS_EVENTS];

struct ds_span {
	unsigned xml_line;                         /* of its element in an XML profile; 0: not from XML */
	unsigned duration_s, warmup_s, cooldown_s; /* -d -W -C */
	uint64_t seed;                             /* -z */
	bool seed_clock;                           /* -z alone: the clock gives the seed; 0: not read yet */
	unsigned threads;         /* -F, all threads of the span; 0: each target has its own */
	unsigned requests;        /* -O, depth of each thread over all targets; 0: each target has its own */
	unsigned bucket_ms;       /* -D<ms>; default 1000 */
	bool iops_stats;          /* -D */
	bool latency;             /* -L */
	bool completion_routines; /* -x */
	bool no_affinity;         /* -n */
	bool random_data;         /* -Zr */
	bool separate_buffers; /* -Zs of diskspd-for-linux, for its report: here each I/O has its buffers */
	struct ds_cpu *cpus;   /* -a; without a list: all processors in turn */
	size_t ncpus;
	char traversal[4];                  /* letters of -ac -as -ap ... and 'u' for -aup; "": the default */
	bool io_ring, io_ring_unregistered; /* -u, -un */
	unsigned io_ring_batch;             /* -u<n>, in I/Os; 0: a percentage */
	unsigned io_ring_percent;           /* -u<n>p, percent of the depth; default 25 */
	unsigned completion_depth;          /* -oc; default 16 */
	bool completion_depth_given;
	bool default_buffer_separation; /* -bsn */
	struct ds_target *targets;
	size_t ntargets;
};

enum ds_precreate {
	DS_PRECREATE_NONE,
	DS_PRECREATE_MAX,
	DS_PRECREATE_CONSTANT,
	DS_PRECREATE_CONSTANT_OR_ZERO
};

struct ds_profile {
	struct arena mem;
	enum ds_format format;       /* -R */
	unsigned progress_ios;       /* -P, one dot per this many I/Os; 0: no dots */
	bool verbose, verbose_stats; /* -v -vs */
	uint32_t experiment_flags;   /* -: */
	bool event[DS_EVENTS];       /* -e */
	bool any_event;              /* some event of -e is set */
	enum ds_precreate precreate; /* XML only */
	struct ds_span *spans;       /* at least one */
	size_t nspans;
};

/* Fills in DISKSPD's defaults. ds_profile_init: one span of 10 s after 5 s of warm-up, without a target;
   returns the span, or NULL if memory is short. ds_target_init: sequential reads of 64 KiB, two I/Os in
   flight, one thread. */
struct ds_span *ds_profile_init(struct ds_profile *p);
void ds_span_init(struct ds_span *s);
void ds_target_init(struct ds_target *t);
void ds_profile_fini(struct ds_profile *p);

/* Facts that follow from a profile: threads, weights and steps of its targets. Pure. */

/* Returns the number of threads that work on the target. */
unsigned ds_target_threads(const struct ds_span *s, const struct ds_target *t);
/* Returns the highest index of these threads, which gives its start with -T. */
unsigned ds_last_thread(const struct ds_span *s, const struct ds_target *t);
/* Returns the weight of the target for threads without a ThreadTarget of their own. A weight of 0 counts as
   1. */
unsigned ds_target_weight(const struct ds_target *t);
/* Returns the weight with which this thread of -F chooses the target for its next I/O; 0: it does not use
   it. */
unsigned ds_thread_weight(const struct ds_target *t, unsigned thread);
/* Returns the number of all threads of the span. */
uint64_t ds_span_threads(const struct ds_span *s);
/* Returns the step of sequential I/O, or the alignment of random I/O, in bytes. */
uint64_t ds_step(const struct ds_target *t);
/* Returns the size in which a time span before `until` creates the file; 0: none does. */
uint64_t ds_created_size_before(const struct ds_profile *p, const struct ds_span *until, const char *path);
/* Returns true if -c creates the target as a file: it has no effect on drives and volumes. */
bool ds_creates_file(const struct ds_target *t);
bool ds_is_device(const struct ds_target *t);
/* Returns true if two targets have the same options, apart from their paths. */
bool ds_same_load(const struct ds_target *a, const struct ds_target *b);

/* The byte ranges and shares of a distribution (-rd) on a target of a given size, as
   DISKSPD's report shows them. Pure. */

/* A share of the I/O and its range of bytes, relative to the base (-B). */
struct ds_effective_range {
	double io_percent; /* 0: no I/O goes here */
	uint64_t begin, end;
};

/* Fills `out`, which has room for t->ranges + 1, with contiguous ranges whose bounds are aligned down.
   Ranges beyond the end of the target are cut off; then *cut is set, and the remaining shares are scaled
   to a total of 100. A range without an aligned offset gives its share to the next one, the last range
   to the one before. Returns the number of ranges; 0: the target has no distribution, or no room for a
   block. */
size_t ds_effective_ranges(const struct ds_target *t, uint64_t size, struct ds_effective_range *out,
			   bool *cut);

/* profile_check.c: the rules by which DISKSPD refuses a whole profile, from a command line or from XML.
   Pure. */

struct ds_check_cfg {
	bool xml_names;       /* errors name elements ("<ThreadStride>") instead of flags ("-T") */
	bool allow_templates; /* templates such as *1 need no target yet: -Rp */
};

/* Checks the profile. Returns 0, or -EINVAL with d for the first broken rule, with its span and target if the
   profile has several. DISKSPD's warnings go to notes, which may be NULL. */
int ds_profile_check(const struct ds_check_cfg *c, const struct ds_profile *p, struct notes *notes,
		     struct diag *d);

/* Checks that a target of `size` bytes has room for a block at each thread's start. Returns 0, or -EINVAL
   with d of the kind DIAG_RUN, because DISKSPD finds out when it opens the target. */
int ds_profile_check_fit(const struct ds_span *s, const struct ds_target *t, uint64_t size, struct diag *d);

/* Returns the number of a template such as "*1"; 0: no template, -1: the path begins with * and is not a
   template. */
int ds_template_number(const char *path);

#endif
