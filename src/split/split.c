#include "split.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clock.h"
#include "hist.h"
#include "sysfs.h"
#include "wstat.h"
#include "split_object.h"
#include "split_windows.h"

_Static_assert(SPLIT_BUCKETS == HIST_BUCKETS, "the buckets are those of hist.h");

/* The statistics of an entry take 106 KiB for each direction on each disk; most entries use one or two. */
#define STATS_OF_ENTRY 6
#define STATS_MIN      32
#define STATS_MAX      512
/* An I/O may become several requests. */
#define REQUESTS_OF_IO 4
#define REQUESTS_MIN   4096
#define REQUESTS_MAX   (1u << 18)

enum split_map {
	MAP_WORKERS,
	MAP_THREADS,
	MAP_REQUESTS,
	MAP_STATS,
	MAP_INDICES,
	MAP_OTHERS,
	MAP_STATE,
	MAPS
};
static const char *const map_names[MAPS] = { "workers", "threads", "requests", "stats",
					     "indices", "others",  ".bss" };

/* All requests are measured while the workers of a CPU queue at most this many bios a second. Each costs some
   500 ns, so together they cost 1 % of the time. */
#define ALL_PER_S 20000

#define PROGRAMS_MAX 16
struct split {
	struct bpf_object *object;
	struct bpf_link *links[PROGRAMS_MAX];
	unsigned nlinks;
	uint32_t nworkers, nstats;
	bool all;
	struct split_windows windows;
	const struct split_stats *stats; /* nstats of them: the map "stats"; NULL: there is none */
	int fd[MAPS];
};

/* libbpf prints what it does; the caller reports errors itself. */
static int no_print(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static uint32_t within(uint64_t n, uint32_t min, uint32_t max)
{
	return n < min ? min : n > max ? max : (uint32_t)n;
}

static uint32_t sets_for(uint64_t inflight)
{
	uint32_t sets = REQUESTS_MIN / SPLIT_WAYS;

	while (sets < REQUESTS_MAX / SPLIT_WAYS && sets < inflight * REQUESTS_OF_IO / SPLIT_WAYS)
		sets *= 2;
	return sets;
}

static int size_map(struct split *s, enum split_map map, uint32_t entries)
{
	return bpf_map__set_max_entries(bpf_object__find_map_by_name(s->object, map_names[map]), entries);
}

static uint32_t cpus_of_machine(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (uint32_t)n : 1;
}

/* Sets the sizes of the maps and the constants, which must be known before the programs are loaded. Returns 0
   or -errno. */
static int configure(struct split *s, const struct split_cfg *cfg)
{
	struct split_config config = { .phase = cfg->phase,
				       .sample = !cfg->all,
				       .sets = sets_for(cfg->inflight),
				       .count_bytes = sizeof(struct wstat_total),
				       .lat_bytes = sizeof(struct wstat_dir),
				       .sum_at = offsetof(struct moments, sum) - offsetof(struct moments, n),
				       .ring_bytes = sizeof(struct wstat_ring),
				       .ring_entries = WSTAT_RING,
				       .entry_bytes = sizeof(struct wstat_pair) };
	struct stat ns;
	int ret;

	s->all = cfg->all;
	s->nworkers = cfg->workers;
	s->windows.cpus = cpus_of_machine();
	s->windows.fast_per_s = ALL_PER_S;
	rng_init(&s->windows.rng, clock_ns());
	s->windows.nsets = config.sets;
	s->windows.phase = cfg->phase;
	s->nstats = within((uint64_t)cfg->entries * STATS_OF_ENTRY, STATS_MIN, STATS_MAX);
	if (stat("/proc/self/ns/pid", &ns))
		return -errno;
	config.ns_dev = ns.st_dev;
	config.ns_ino = ns.st_ino;
	ret = bpf_map__set_initial_value(bpf_object__find_map_by_name(s->object, ".rodata"), &config,
					 sizeof(config));
	if (!ret)
		ret = size_map(s, MAP_WORKERS, cfg->workers);
	if (!ret)
		ret = size_map(s, MAP_THREADS, cfg->workers);
	if (!ret)
		ret = size_map(s, MAP_REQUESTS, config.sets);
	if (!ret)
		ret = size_map(s, MAP_STATS, s->nstats);
	return ret;
}

static int attach(struct split *s)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, s->object)
	{
		struct bpf_link *link = s->nlinks < PROGRAMS_MAX ? bpf_program__attach(program) : NULL;

		if (!link)
			return -errno;
		s->links[s->nlinks++] = link;
	}
	split_windows_attached(&s->windows, clock_ns());
	return 0;
}

static void detach(struct split *s)
{
	while (s->nlinks)
		bpf_link__destroy(s->links[--s->nlinks]);
}

/* Maps the values of a map into memory. Returns NULL with errno on failure. */
static void *map_values(const struct split *s, enum split_map map, size_t bytes, int protection)
{
	void *v = mmap(NULL, bytes, protection, MAP_SHARED, s->fd[map], 0);

	return v == MAP_FAILED ? NULL : v;
}

static int map_all(struct split *s, uint32_t workers)
{
	struct split_windows *w = &s->windows;
	const int writes = PROT_READ | PROT_WRITE;

	s->stats = map_values(s, MAP_STATS, s->nstats * sizeof(*s->stats), PROT_READ);
	w->threads = map_values(s, MAP_THREADS, workers * sizeof(*w->threads), writes);
	w->requests = map_values(s, MAP_REQUESTS, w->nsets * sizeof(*w->requests), writes);
	w->state = map_values(s, MAP_STATE, sizeof(*w->state), writes);
	return s->stats && w->threads && w->requests && w->state ? 0 : -errno;
}

static void unmap_all(struct split *s)
{
	struct split_windows *w = &s->windows;

	if (s->stats)
		munmap((void *)(uintptr_t)s->stats, s->nstats * sizeof(*s->stats));
	if (w->threads)
		munmap(w->threads, s->nworkers * sizeof(*w->threads));
	if (w->requests)
		munmap(w->requests, w->nsets * sizeof(*w->requests));
	if (w->state)
		munmap(w->state, sizeof(*w->state));
}

static int start_programs(struct split *s, const struct split_cfg *cfg)
{
	int ret = configure(s, cfg);

	if (!ret)
		ret = bpf_object__load(s->object);
	for (unsigned i = 0; i < MAPS && !ret; i++)
		s->fd[i] = bpf_object__find_map_fd_by_name(s->object, map_names[i]);
	if (!ret)
		ret = map_all(s, cfg->workers);
	if (!ret)
		ret = attach(s);
	/* A process that is forked now would keep the programs attached. */
	detach(s);
	return ret;
}

/* The file lists all modes, the current one in brackets. Confidentiality forbids BPF programs to read the
   kernel's memory. */
static bool is_locked_down(void)
{
	char modes[64];

	return !sysfs_line(modes, sizeof(modes), "/sys/kernel/security/lockdown") &&
	       strstr(modes, "[confidentiality]");
}

static void explain_error(int err, char *why, size_t size)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		snprintf(why, size, "this kernel has no BTF: /sys/kernel/btf/vmlinux cannot be read");
	else if (is_locked_down())
		snprintf(why, size, "this kernel forbids BPF to read its memory (lockdown=confidentiality)");
	else if (err == -EPERM)
		snprintf(why, size, "BPF programs need the capabilities CAP_BPF and CAP_PERFMON%s",
			 geteuid() ? ""
				   : "; a container may withhold them from root, or its seccomp profile "
				     "may forbid BPF");
	else if (err == -EACCES)
		snprintf(why, size, "this kernel's verifier refuses the BPF programs");
	else
		snprintf(why, size, "the BPF programs could not be loaded: %s", strerror(-err));
}

struct split *split_start(const struct split_cfg *cfg, char *why, size_t size)
{
	struct split *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	libbpf_set_print(no_print);
	if (s) {
		s->object = bpf_object__open_mem(split_object, sizeof(split_object), NULL);
		err = s->object ? start_programs(s, cfg) : -errno;
	}
	if (!err)
		return s;
	explain_error(err, why, size);
	split_free(s);
	return NULL;
}

int split_add_worker(struct split *s, const struct split_worker *w)
{
	struct split_thread thread = { .stamp = (uintptr_t)w->stamp_ns,
				       .phase = (uintptr_t)w->phase,
				       .counts = (uintptr_t)&w->counts->total[0].ios,
				       .lats = (uintptr_t)&w->counts->dir[0].lat[LAT_LAT].n,
				       .rings = w->single ? (uintptr_t)&w->counts->ring[0].pair[0].lat : 0,
				       .entry = w->entry,
				       .io.known = 1 };
	uint32_t tid = (uint32_t)w->tid, at = s->windows.nthreads;
	int ret = bpf_map_update_elem(s->fd[MAP_THREADS], &at, &thread, BPF_ANY);

	if (ret)
		return ret;
	s->windows.nthreads++;
	return bpf_map_update_elem(s->fd[MAP_WORKERS], &tid, &at, BPF_ANY);
}

int split_begin(struct split *s)
{
	int ret = s->nlinks ? 0 : attach(s);

	if (ret)
		detach(s);
	split_windows_restart(&s->windows, clock_ns());
	return ret;
}

void split_stop(struct split *s)
{
	detach(s);
}

uint64_t split_due_ns(const struct split *s)
{
	return s->all ? 0 : s->windows.due_ns;
}

void split_tick(struct split *s)
{
	if (s->all || clock_ns() < s->windows.due_ns)
		return;
	if (!split_windows_tick(&s->windows, clock_ns()))
		detach(s);
	else if (s->nlinks || !attach(s))
		split_windows_open(&s->windows, clock_ns());
	else
		detach(s);
}

/* Stores the key after the one in `key`, or the first one. Returns false at the end. */
static bool next_key(int fd, bool first, void *key)
{
	return !bpf_map_get_next_key(fd, first ? NULL : key, key);
}

/* Returns the statistics of this key, and stores their number. NULL: there was no room for them. */
static const struct split_stats *stats_of(const struct split *s, const struct split_key *key, uint32_t *at)
{
	if (bpf_map_lookup_elem(s->fd[MAP_INDICES], key, at) || *at >= s->nstats)
		return NULL;
	return &s->stats[*at];
}

static void read_stats(struct split *s, const struct split_reader *r)
{
	struct split_key key;
	uint32_t at;

	for (bool first = true; next_key(s->fd[MAP_INDICES], first, &key); first = false)
		if (stats_of(s, &key, &at))
			r->row(r->arg, &key, &s->stats[at], split_windows_sample(&s->windows, &key));
}

void split_read_device(const struct split *s, void *arg,
		       void (*f)(void *arg, uint32_t row, const struct split_key *key,
				 const struct split_times *times))
{
	struct split_key key;
	uint32_t at;

	for (bool first = true; next_key(s->fd[MAP_INDICES], first, &key); first = false)
		if (stats_of(s, &key, &at))
			f(arg, at, &key, &s->stats[at].parts[SPLIT_DEVICE]);
}

static void read_others(struct split *s, const struct split_reader *r)
{
	struct split_other_key key;
	struct split_other other;

	for (bool first = true; next_key(s->fd[MAP_OTHERS], first, &key); first = false)
		if (!bpf_map_lookup_elem(s->fd[MAP_OTHERS], &key, &other))
			r->other(r->arg, &key, &other);
}

/* Adds up how often the kernel skipped a program. */
static uint64_t skipped_runs(const struct split *s)
{
	struct bpf_program *program;
	uint64_t n = 0;

	bpf_object__for_each_program(program, s->object)
	{
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);

		if (!bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			n += info.recursion_misses;
	}
	return n;
}

void split_read(struct split *s, const struct split_reader *r, struct split_missing *missing)
{
	struct split_state state = { 0 };
	uint32_t first = 0;

	bpf_map_lookup_elem(s->fd[MAP_STATE], &first, &state);
	*missing = (struct split_missing){ state.unlisted, state.unseen, state.in_parts, s->windows.outlived,
					   skipped_runs(s) };
	read_stats(s, r);
	read_others(s, r);
}

uint64_t split_cost_ns(const struct split *s)
{
	struct bpf_program *program;
	uint64_t ns = 0;

	bpf_object__for_each_program(program, s->object)
	{
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);

		if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			return 0;
		ns += info.run_time_ns;
	}
	return ns;
}

void split_free(struct split *s)
{
	if (!s)
		return;
	split_stop(s);
	unmap_all(s);
	bpf_object__close(s->object);
	free(s);
}
