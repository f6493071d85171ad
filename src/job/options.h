/* options.h: the options of one section as plain data, composed of the config structs of the modules. */
#ifndef JOB_OPTIONS_H
#define JOB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "errors.h"
#include "content.h"
#include "depth_search.h"
#include "cpuset.h"
#include "file.h"
#include "steady.h"
#include "iobuf.h"
#include "mix.h"
#include "offset.h"
#include "pace.h"
#include "placement.h"
#include "think.h"
#include "file_order.h"
#include "flow.h"
#include "units.h"
#include "verify_block.h"
#include "verify_state.h"

#define PERCENTILES_MAX 20

enum create_when { CREATE_MISSING, CREATE_ALWAYS };
enum create_fill { CREATE_FILL_WRITE, CREATE_FILL_PATTERN, CREATE_FILL_ZERO };

/* Files and their sizes. The job_opts owns the strings; the option types copy and free them. */
enum file_type { FILE_TYPE_ANY, FILE_TYPE_FILE, FILE_TYPE_BLOCK, FILE_TYPE_CHAR };

struct files_cfg {
	char *filename;        /* ':'-separated paths, "\:" a colon */
	char *directory;       /* ':'-separated */
	char *ioscheduler;     /* the devices must use this scheduler; NULL: any */
	char *opendir;         /* the directory whose files the job uses; NULL: none */
	char *opendir_match;   /* ':'-separated patterns for them; NULL: all */
	char *filename_format; /* default "$jobname.$jobnum.$filenum" */
	struct amount size, io_size, offset, offset_increment, rank_offset_increment;
	uint64_t offset_align;  /* where ranges begin that percentages set; 0: the smallest block */
	struct amount zoneskip; /* resolve sets offset.zone.skip */
	uint64_t filesize_lo, filesize_hi;
	uint32_t nrfiles, openfiles; /* openfiles 0: nrfiles */
	bool overwrite, unlink, unlink_each_loop;
	bool create_only, create_serialize, create_fsync, allow_create;
	bool append, fill, pre_read;
	bool rank_shared; /* the ranks of fiord-mpi use the same files */
	bool remote_only; /* refuses files that are not on NFS or SMB */
	enum create_when create;
	enum file_type type; /* filetype: the type that the targets must have */
	enum create_fill create_fill;
	uint64_t create_size; /* least size of files that are laid out; 0: the size that the job needs */
	struct file_order_cfg file_order;
	char *weights;     /* of the files, with FILE_ORDER_RANDOM; NULL: all alike */
	char *allow_write; /* ':'-separated devices and files, as written; cmdline and file add up */
	bool allow_mounted_write;
};

/* Where devices place what is written. */
struct placement_cfg {
	enum placement_kind kind;
	bool fdp; /* resolve sets kind */
	enum placement_select select;
	char *plids, *scheme;
	struct placement_set *set; /* made of them by resolve; of a job with a kind */
};

struct queue_cfg {
	uint32_t iodepth, batch, complete_min, complete_max, low;
	bool per_file;    /* each file has iodepth I/Os in flight */
	unsigned offload; /* 1: io_submit_mode=offload */
	bool serialize;   /* serialize_overlap */
};

enum time_clock { TIME_CLOCK_AUTO, TIME_CLOCK_CPU, TIME_CLOCK_KERNEL, TIME_CLOCK_DAY };

struct time_cfg {
	uint64_t runtime_ns, ramp_ns, startdelay_lo_ns, startdelay_hi_ns;
	uint64_t ramp_bytes;  /* a ramp by amount; 0: by time, or none */
	uint64_t cooldown_ns; /* after runtime */
	bool ramp_only;       /* ends with the ramp */
	bool drop_late;       /* I/Os that complete after the runtime do not count */
	bool time_based;
	bool search; /* latency_target: a search precedes the measurement; set by resolve */
	uint32_t loops;
	uint64_t number_ios;
	enum time_clock clock;
};

enum exit_what { EXIT_WHAT_GROUP, EXIT_WHAT_STONEWALL, EXIT_WHAT_ALL };

struct group_cfg {
	char *name, *description, *wait_for;
	char *comm; /* name of the workers in ps; NULL: that of the program */
	uint32_t numjobs;
	char *exec_prerun, *exec_postrun;
	bool thread, stonewall, new_group, group_reporting, exitall, exitall_on_error;
	enum exit_what exit_what;
};

struct sync_range_cfg {
	unsigned flags; /* SYNC_FILE_RANGE_* */
	uint32_t every; /* writes; 0: never */
};

struct fsync_cfg {
	uint32_t fsync, fdatasync; /* after every N writes */
	struct sync_range_cfg range;
	bool end_fsync, end_syncfs;
};

enum latency_split { LATENCY_SPLIT_NO, LATENCY_SPLIT_YES, LATENCY_SPLIT_ALL };
enum cpus_policy { CPUS_SHARED, CPUS_SPLIT };
/* The values are the kernel's MPOL_*. */
enum numa_mode { NUMA_DEFAULT, NUMA_PREFER, NUMA_BIND, NUMA_INTERLEAVE, NUMA_LOCAL };

struct numa_policy {
	enum numa_mode mode;
	struct cpuset nodes;
};

struct cgroup_cfg {
	char *name;      /* below the mount of cgroup v2 */
	uint32_t weight; /* 0: as it is */
	bool nodelete;
};

/* The user and group of the workers. */
struct user_cfg {
	uint32_t uid, gid;
	bool set_uid, set_gid; /* by resolve */
};

/* CPUs, memory nodes and priorities of the workers. Empty sets: inherited. */
struct place_cfg {
	struct cpuset cpus, cpu_nodes;
	enum cpus_policy policy;
	struct numa_policy memory;
	int32_t nice;
	uint32_t prio, prioclass, priohint;
	uint64_t cpu_dma_latency_ns;
	bool set_nice, set_prio; /* resolve sets them if an option is given */
	char *cpu_list;          /* each worker takes the next CPU; NULL: none */
	char *cpu_order;         /* letters: how the CPUs are sorted before each worker takes one */
};

struct verify_opts {
	struct verify_cfg format; /* format.kind 0: the job verifies nothing */
	bool after_writing;       /* do_verify */
	bool only;                /* verify_only: checks the data of an earlier run */
	bool fatal, dump;
	uint32_t backlog; /* the job reads back what it has written after this many writes; 0: at the end */
	uint32_t async;   /* threads that check blocks; 0: the worker does */
	struct cpuset async_cpus; /* of these threads; empty: those of the worker */
	uint32_t backlog_batch;   /* at most this many blocks at a time; 0: backlog */
	bool check_seed;          /* verify_header_seed */
	bool check_number;        /* verify_write_sequence */
	bool state_save, state_load;
	char *state_sync; /* file or directory on another disk; NULL: the state is not synced */
	enum verify_policy policy;
	uint32_t trim_percentage;
	uint32_t trim_backlog, trim_backlog_batch; /* as backlog */
	bool trim_zero;                            /* trim_verify_zero */
};

/* Data that the clones of a section share; each write takes a random slice of it. */
struct write_pool_cfg {
	uint64_t bytes; /* 0: no pool */
	char *file;     /* its content fills the pool; NULL: random data */
};

/* Sections whose jobs run on the same threads. */
struct thread_group_cfg {
	char *name;     /* NULL: the section has threads of its own */
	char *weights;  /* of the section's files */
	uint32_t depth; /* of each thread over all files; 0: each file has its own iodepth */
};

/* Names of events outside the run; NULL: none. */
struct event_cfg {
	char *start, *finish; /* the run signals these */
	char *wait, *stop;    /* the run waits for these */
};

enum unit_base { UNIT_AUTO = 0, UNIT_BITS = 1, UNIT_BYTES = 8 };

enum unified { UNIFIED_NONE, UNIFIED_MIXED, UNIFIED_BOTH };

/* per_file_stats: what is counted for each file of a job. */
enum per_file_stats { FILE_STATS_NONE, FILE_STATS_COUNTS, FILE_STATS_PERCENTILES };

struct report_cfg {
	enum unified unified;
	enum per_file_stats file_stats;
	uint32_t kb_base;
	uint32_t figures; /* significant_figures */
	enum unit_base unit_base;
	bool gtod_reduce; /* resolve turns it into the next three */
	bool no_slat, no_clat, no_lat, no_bw;
	bool slat_percentiles, clat_percentiles, lat_percentiles;
	bool disk_util, stats;
	unsigned latency_split; /* enum latency_split */
	uint32_t start_clock;   /* clockid_t of job_start */
	uint32_t npercentiles;  /* how many; 0: fio's default list */
	double percentiles[PERCENTILES_MAX];
	uint32_t bw_avg_ms, iops_avg_ms; /* the sampled rows */
};

/* The log files of a worker. */
/* LOG_IOLOG: the I/Os themselves, so that they can be replayed (write_iolog). */
enum log_kind { LOG_BW, LOG_IOPS, LOG_SLAT, LOG_CLAT, LOG_LAT, LOG_HIST, LOG_IOLOG, LOG_KINDS };

enum log_window { LOG_WINDOW_AVG, LOG_WINDOW_MAX, LOG_WINDOW_BOTH };

/* Log files. A prefix is NULL: no such log; "": the job's name. */
struct log_cfg {
	char *bw, *iops, *lat, *hist, *iolog;
	uint32_t avg_ms;  /* time that a line covers; 0: one line for each I/O */
	uint32_t hist_ms; /* the same for histograms */
	uint32_t hist_coarseness;
	enum log_window window;
	bool offset, prio, issue_time, per_job;
	bool epoch; /* the time of day, by epoch_clock */
	uint32_t epoch_clock;
	uint32_t entries;
	uint64_t compression;
	struct cpuset compression_cpus;
	bool store_compressed;
};

enum replay_address { REPLAY_EXACT, REPLAY_WRAP, REPLAY_FIT, REPLAY_COMPACT };

struct replay_facts;
/* read_iolog: the I/Os of a trace. */
struct replay_cfg {
	char *log;       /* files separated by ':'; NULL: the job is no replay */
	unsigned format; /* enum trace_format */
	unsigned event;  /* enum trace_stage: the events of blktrace that count */
	char *columns;   /* of TRACE_CSV; NULL: not declared */
	char *redirect, *skip, *map;
	char *merge_file, *merge_scalars, *merge_iters;
	uint64_t from_ns, to_ns; /* the window of the trace; to_ns 0: to its end */
	enum replay_address address;
	uint64_t gap_max_ns; /* 0: gaps between I/Os stay as long as they are */
	bool no_stall, chunked;
	uint32_t scale, time_scale; /* divisor of offsets; percent of the speed */
	uint64_t align;
	/* Set by resolve: */
	unsigned skip_ops; /* enum trace_op, as bits */
	const struct replay_facts *facts;
};

struct job_opts {
	struct files_cfg files;
	struct file_cfg file;
	struct offset_cfg offset;
	struct mix_cfg mix;
	struct pace_cfg pace;
	struct rate_min_cfg rate_min;
	struct think_cfg think;
	struct flow_cfg flow;
	struct buffer_cfg buffer;
	struct queue_cfg queue;
	struct time_cfg time;
	struct group_cfg group;
	struct fsync_cfg sync;
	struct report_cfg report;
	struct log_cfg log;
	struct replay_cfg replay;
	struct error_cfg errors;
	uint64_t max_latency_ns[DIR_DATA]; /* 0: no limit */
	struct place_cfg place;
	struct user_cfg user;
	struct cgroup_cfg cgroup;
	struct mem_cfg memory;
	uint64_t lockmem;
	struct verify_opts verify;
	struct write_pool_cfg write_pool;
	struct thread_group_cfg thread_group;
	struct event_cfg events;
	struct steady_cfg steady;
	struct latency_target_cfg latency_target;
	char *ioengine;
	char *sweep; /* lines of OPTION=VALUES */
	struct placement_cfg placement;
	uint32_t num_range;    /* ranges in a trim; several only with ENG_PASSTHROUGH */
	bool bs_is_seq_rand;   /* resolve applies it to offset.bsize */
	uint64_t bs[DIR_DATA]; /* bs=; resolve joins bs, bsrange and bssplit into offset.bsize */
	struct {
		uint64_t lo, hi;
	} bsrange[DIR_DATA];
	char *bssplit;
	char *distribution;     /* random_distribution=; resolve reads it into offset.dist */
	bool distribution_clip; /* random_clip */
	uint32_t max_open_zones, job_max_open_zones; /* resolve sets offset.zone.max_open */
	bool ignore_zone_limits;
};

#endif
