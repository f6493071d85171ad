/* Are plans still the same as text? They come from canned facts; the copies are t/golden/plan/NAME.txt.
 * UPDATE=1 rewrites them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmdline.h"
#include "placement_ids.h"
#include "plan.h"
#include "strbuf.h"
#include "vec.h"
#include "zoned.h"

#define MIB ((uint64_t)1 << 20)

/* Of namespaces with Flexible Data Placement, and of devices with write streams. */
static struct placement_ids canned_ids = { .n = 4, .id = { 0, 1, 0x100, 0x101 } };
static struct placement_ids canned_more = { .n = 6, .id = { 0, 1, 2, 3, 4, 5 } };
static struct placement_ids canned_streams = { .n = 3, .first = 1, .id = { 1, 2, 3 } };

/* The zones of /dev/disk-managed: 16, of which three quarters can be written; the first is conventional, two
   cannot be used, and one is written in part. */
static struct device_zones *canned_zones(uint64_t size)
{
	static struct device_zone v[16];
	static struct device_zones zones = { .max_open = 4, .max_active = 6, .n = 16, .v = v };

	zones.size = size;
	for (unsigned i = 0; i < zones.n; i++)
		v[i] = (struct device_zone){ .start = i * size, .capacity = size / 4 * 3 };
	v[0].conventional = true;
	v[0].capacity = zones.size;
	v[3].wp = MIB;
	v[13].state = ZONED_READ_ONLY;
	v[14].state = ZONED_OFFLINE;
	return &zones;
}

/* The machine of these tests. */
static void canned(struct target_facts *f, const char *path)
{
	static ino_t ino = 100;

	f->fs_size = 2048 * MIB * 1024;
	f->fs_free = 1024 * MIB * 1024;
	f->dev = 1;
	if (!strncmp(path, "/dev/disk", 9) || !strncmp(path, "/dev/ng", 7)) {
		f->type = TARGET_BLOCK;
		f->size = 1024 * MIB;
		f->logical_block = 4096;
		f->rdev = 7;
		f->dev = 2;
		if (strstr(path, "mounted"))
			f->in_use = snprintf(f->refusal, sizeof(f->refusal), "it is mounted on /mnt/data");
		snprintf(f->zoned, sizeof(f->zoned), "%s",
			 strstr(path, "managed") ? "host-managed"
			 : strstr(path, "aware") ? "host-aware"
						 : "none");
		f->size = strstr(path, "large") ? 16 * 2048 * MIB : f->size;
		f->zones = strstr(path, "managed") ? canned_zones(f->size / 16) : NULL;
		f->commands = strstr(path, "ng") ? COMMANDS_NVME : COMMANDS_NONE;
		f->nvme = (struct nvme_ns){ .nsid = 1, .max_bytes = 512 << 10, .lba_shift = 12 };
		if (strstr(path, "limits")) {
			f->nvme.trim_ranges = 16;
			f->nvme.trim_range_blocks = 64;
			f->nvme.trim_blocks = 512;
		}
		f->nvme.md_bytes = strstr(path, "metadata") ? 16 : strstr(path, "protected") ? 8 : 0;
		f->nvme.pi_type = strstr(path, "protected") ? 3 : 0;
		f->nvme.guard_bits = strstr(path, "protected64") ? 64 : 16;
		f->placement = strstr(path, "fdp-more")  ? &canned_more
			       : strstr(path, "fdp")     ? &canned_ids
			       : strstr(path, "streams") ? &canned_streams
							 : NULL;
		f->nvme_error = strstr(path, "closed") ? -EACCES : 0;
		f->no_trim = strstr(path, "no-trim") != NULL;
		f->queued_trims = strstr(path, "queued") != NULL;
		f->trim_unit = strstr(path, "trim-unit") ? 64 << 10 : 4096;
		f->atomic_min = strstr(path, "atomic") ? 4096 : 0;
		f->atomic_max = strstr(path, "atomic") ? 65536 : 0;
	} else if (!strcmp(path, "/data") || !strcmp(path, "/more")) {
		f->type = TARGET_DIR;
	} else if (strstr(path, "have")) {
		f->type = TARGET_FILE;
		f->size = f->blocks = 64 * MIB;
		f->marked = strstr(path, "-mark") != NULL;
		f->holds_nothing = strstr(path, "holes") != NULL;
		f->no_marks = strstr(path, "unmarkable") != NULL;
		f->system = strstr(path, "system") != NULL;
		f->system_link = strstr(path, "link") != NULL;
	} else if (strstr(path, "nodev")) {
		f->type = TARGET_MISSING;
		f->in_dev = true;
	} else if (strstr(path, "closed")) {
		f->type = TARGET_FILE;
		f->size = 64 * MIB;
		f->read_error = f->write_error = -EACCES;
	} else if (strstr(path, "full")) {
		f->type = TARGET_MISSING;
		f->fs_free = MIB;
		f->dev = 3;
	} else {
		f->type = TARGET_MISSING;
	}
	if (f->type != TARGET_MISSING)
		f->ino = ino++;
}

struct list {
	struct facts_target *v;
	size_t n, cap;
};

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct facts_target *)a)->path, ((const struct facts_target *)b)->path);
}

static void add(struct list *l, const char *path)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!strcmp(l->v[i].path, path))
			return;
	}
	assert_true(VEC_PUSH(l, (struct facts_target){ .path = path }));
	canned(&l->v[l->n - 1].facts, path);
}

/* Two nodes with four CPUs each, of which a cpuset allows six; node 2 has only memory. */
static void canned_machine(struct machine *m)
{
	static struct cpuset node_cpus[3];

	assert_int_equal(cpuset_parse("0-3", &node_cpus[0]), 0);
	assert_int_equal(cpuset_parse("4-7", &node_cpus[1]), 0);
	assert_int_equal(cpuset_parse("0-7", &m->cpus), 0);
	assert_int_equal(cpuset_parse("0-5", &m->allowed), 0);
	assert_int_equal(cpuset_parse("0-2", &m->nodes), 0);
	m->node_cpus = node_cpus;
	m->nnodes = 3;
	m->cgroup2 = (char *)(uintptr_t) "/sys/fs/cgroup";
	m->cgroup2_io = true;
	m->hugepage[0] = 2 << 20;
	m->hugepage[1] = 1 << 30;
	m->available_bytes = 8ull << 30;
}

static void facts_for(struct facts *f, const struct job_set *set, struct arena *a)
{
	struct list l = { 0 };

	for (size_t i = 0; i < set->njobs; i++) {
		const char **dirs = plan_directories(a, &set->jobs[i]);

		for (; *dirs; dirs++)
			add(&l, *dirs);
		for (uint32_t c = 0; c < set->jobs[i].opts.group.numjobs; c++) {
			uint32_t n;
			const char **paths = plan_paths(a, &set->jobs[i], c, &n);

			for (uint32_t k = 0; k < n; k++)
				add(&l, paths[k]);
		}
	}
	if (l.n)
		qsort(l.v, l.n, sizeof(*l.v), by_path);
	*f = (struct facts){ .targets = l.v, .ntargets = l.n, .entropy = 1 };
	canned_machine(&f->machine);
}

/* Turns one line of arguments into the text of the plan or of the error. */
static void plan_text(const char *line, struct strbuf *out)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };
	struct plan p = { 0 };
	struct facts f = { 0 };
	struct arena a = { 0 };
	char *copy = strdup(line), *argv[64] = { (char *)"fiord" }, *save = NULL;
	int argc = 1;

	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	if (!cmdline_parse(&c, &set, argc, argv, &d)) {
		facts_for(&f, &set, &a);
		if (!plan_build(&p, &set, &f, &d))
			plan_print(&p, out);
	}
	if (d.text)
		strbuf_printf(out, "error (kind %d): %s\n", (int)d.kind, diag_text(&d));
	for (size_t i = 0; i < p.notes.count; i++)
		strbuf_printf(out, "note: %s\n", p.notes.line[i]);
	plan_fini(&p);
	free(f.targets);
	job_set_fini(&set);
	arena_fini(&a);
	diag_fini(&d);
	free(copy);
}

static const struct {
	const char *name, *line;
} plans[] = {
	{ "layout-read", "--name=r --directory=/data --size=8m --rw=read" },
	{ "layout-write", "--name=w --directory=/data --size=8m --rw=write --numjobs=2" },
	{ "layout-none", "--name=w --directory=/data --size=8m --rw=write --fallocate=none" },
	{ "huge", "--name=h --ioengine=null --size=4096p --rw=read" },
	{ "cpus",
	  "--ioengine=null --size=1m --cpus_allowed=0,2-3 --name=a --numjobs=2 --name=b --cpumask=0x10" },
	{ "cpus-split", "--ioengine=null --size=1m --cpus_allowed=1-3 --cpus_allowed_policy=split --name=a "
			"--numjobs=2 --name=b "
			"--numjobs=4" },
	{ "cpus-none", "--ioengine=null --size=1m --cpus_allowed=0,8-9 --name=a" },
	{ "cpus-verify-none", "--ioengine=null --size=1m --name=a --verify=crc32c --verify_async=1 "
			      "--verify_async_cpus=8 --rw=write" },
	{ "cpus-verify", "--filename=/data/f --size=1m --name=a --verify=crc32c --verify_async=1 "
			 "--verify_async_cpus=5 --rw=write" },
	{ "cpus-verify-kept", "--filename=/data/f --size=1m --name=a --verify=crc32c --verify_async=1 "
			      "--verify_async_cpus=5-6 --rw=write" },
	{ "cpus-kept", "--ioengine=null --size=1m --name=a --cpumask=0x40" },
	{ "nodes", "--ioengine=null --size=1m --numa_cpu_nodes=1 --name=a --name=b --numa_cpu_nodes=all "
		   "--name=c --cpus_allowed=1,4" },
	{ "nodes-none", "--ioengine=null --size=1m --name=a --numa_cpu_nodes=0,3" },
	{ "nodes-no-cpus", "--ioengine=null --size=1m --name=a --numa_cpu_nodes=2" },
	{ "nodes-apart", "--ioengine=null --size=1m --name=a --numa_cpu_nodes=0 --cpus_allowed=5" },
	{ "nodes-memory", "--ioengine=null --size=1m --name=a --numa_mem_policy=bind:2-3" },
	{ "hugepages",
	  "--ioengine=null --size=1m --name=a --mem=mmaphuge --name=b --mem=shmhuge --hugepage-size=4m" },
	{ "hugepages-none", "--ioengine=null --size=1m --name=a --mem=mmaphuge --hugepage-size=64k" },
	{ "lockmem", "--ioengine=null --size=1m --lockmem=3g --numjobs=2 --name=a --name=b --stonewall" },
	{ "lockmem-too-much", "--ioengine=null --size=1m --lockmem=3g --name=a --numjobs=3" },
	{ "per-file-stats",
	  "--directory=/data --nrfiles=3 --size=3m --per_file_stats=counts --name=a --rw=randrw --fsync=1 "
	  "--name=b --rw=read --per_file_stats=percentiles --name=c --rw=write --verify=crc32c" },
	{ "per-file-stats-memory",
	  "--filename=/data/have1:/data/have2:/data/have3:/data/have4:/data/have5:/data/have6:/data/have7:/"
	  "data/have8 "
	  "--allow_write=/data/have1:/data/have2:/data/have3:/data/have4:/data/have5:/data/have6:/data/"
	  "have7:/data/have8 "
	  "--size=1m --numjobs=6000 --name=a --rw=randrw --fsync=1 --per_file_stats=percentiles" },
	{ "per-file-stats-group",
	  "--ioengine=null --size=1m --group_reporting --name=a --per_file_stats=counts --name=b" },
	{ "per-file-stats-latency",
	  "--ioengine=null --size=1m --group_reporting --per_file_stats=percentiles --name=a "
	  "--lat_percentiles=1 --clat_percentiles=0 --name=b" },
	{ "per-file-stats-others",
	  "--per_file_stats=counts --group_reporting --size=1m --name=a --ioengine=cpuio --cpuload=1 "
	  "--runtime=1 --name=b --ioengine=null --name=c --ioengine=null --stats=0" },
	{ "cgroup-weights",
	  "--ioengine=null --size=1m --cgroup=/x/y --name=a --cgroup_weight=200 --name=b --name=c "
	  "--cgroup=x/y --cgroup_weight=300" },
	{ "huge-together", "--name=h --ioengine=null --filesize=4095p --nrfiles=5 --rw=read" },
	{ "write-then-read",
	  "--filename=/data/f --size=4m --name=w --rw=write --name=r --stonewall --rw=randread --bs=8k" },
	{ "wait-for",
	  "--name=w --filename=/data/f --rw=write --size=4m --name=r --filename=/data/f --rw=read "
	  "--size=4m --wait_for=w --name=o --rw=read --wait_for=w --filename=/data/o --size=1m" },
	{ "wait-for-overlap",
	  "--filename=/data/f --size=1m --name=w --rw=write --name=r --rw=read --size=4m --wait_for=w "
	  "--name=o --rw=read" },
	{ "wait-for-unlinked",
	  "--filename=/data/f --size=1m --name=w --rw=write --unlink=1 --name=r --rw=read --wait_for=w" },
	{ "wait-for-unknown", "--filename=/data/f --size=1m --name=w --name=r --wait_for=x" },
	{ "allow-create-0", "--filename=/data/f --size=1m --name=w --rw=write --allow_file_create=0" },
	{ "walk-target",
	  "--filename=/data/have --size=40k --rw=read:8k --bs=4k --numjobs=3 --offset_increment=16k "
	  "--seq_wrap=target --name=w" },
	{ "walk-target-beyond",
	  "--filename=/data/have --size=40k --rw=read --bs=4k --numjobs=4 --offset_increment=16k "
	  "--seq_wrap=target --name=w" },
	{ "walk-shared",
	  "--filename=/data/have-mark --rw=rw --bs=4k --numjobs=2 --offset_shared=1 --name=w --name=own" },
	{ "verify",
	  "--directory=/data --size=8m --bs=4k --verify=crc32c --name=once --rw=randwrite --name=fresh "
	  "--rw=randwrite --time_based --runtime=9 --name=mixed --rw=randrw --name=loops --rw=randrw "
	  "--loops=2 --name=uniform --rw=randwrite --norandommap --name=sizes --rw=randwrite "
	  "--norandommap --bssplit=4k/50:6k/50 --name=holes --rw=write:12k --name=kept --rw=write "
	  "--do_verify=0" },
	{ "verify-backlog",
	  "--size=8m --verify=crc32c --name=v --filename=/data/f --rw=randwrite --norandommap "
	  "--verify_backlog=100 --name=once --filename=/data/o --rw=write" },
	{ "verify-sync-nowhere",
	  "--filename=/data/f --size=8m --verify=crc32c --name=v --rw=write --verify_state_sync=" },
	{ "verify-back", "--filename=/data/f --size=250k --bs=4k --verify=crc32c --name=v --rw=write:-8k" },
	{ "verify-only-strided", "--name=v --filename=/data/have --size=64m --rw=write:8k --bs=16k "
				 "--verify=crc32c --verify_only --time_based --runtime=1" },
	{ "verify-only-ramp", "--name=v --filename=/data/have --size=64m --rw=randwrite --verify=crc32c "
			      "--verify_only --ramp_time=1" },
	{ "verify-twice",
	  "--filename=/data/f:/data/o:/data/f --size=8m --verify=crc32c --name=v --rw=randwrite" },
	{ "verify-waves", "--filename=/data/f --size=800g --bs=512 --fallocate=none --verify=crc32c "
			  "--rw=randwrite --norandommap --name=a --name=b --stonewall" },
	{ "verify-unit", "--filename=/data/f --size=8m --verify=crc32c --name=v --rw=randwrite --norandommap "
			 "--bssplit=2000/50:2300/50" },
	{ "verify-memory",
	  "--filename=/data/f --size=1024p --fallocate=none --bs=512 --verify=crc32c --name=v "
	  "--rw=randwrite --norandommap" },
	{ "append-device", "--name=w --filename=/dev/disk --file_append=1 --rw=write --size=1m" },
	{ "append", "--filename=/data/have-mark:/data/f --size=1m --file_append=1 --rw=write --name=w "
		    "--name=again --stonewall" },
	{ "append-after-unlink", "--filename=/data/have --allow_write=/data/have --size=1m --rw=write "
				 "--name=a --unlink=1 --name=b --wait_for=a "
				 "--file_append=1" },
	{ "append-no-size", "--filename=/data/have --file_append=1 --rw=write --name=w" },
	{ "append-read-marked", "--filename=/data/have-mark --size=2m --file_append=1 --rw=read --name=r" },
	{ "same-wave", "--filename=/data/f --size=4m --name=w --rw=randwrite --name=r --rw=randread" },
	{ "have-enough", "--name=r --filename=/data/have --rw=randread" },
	{ "have-short", "--name=r --filename=/data/have --size=128m --rw=randread" },
	{ "have-short-marked", "--name=r --filename=/data/have-mark --size=128m --rw=randread" },
	{ "have-short-allowed",
	  "--name=r --filename=/data/have --size=128m --rw=randread --allow_write=/data/have" },
	{ "have-short-mixed", "--name=r --filename=/data/have-mark --size=128m --rw=randrw" },
	{ "have-short-write", "--name=r --filename=/data/have-mark --size=128m --rw=randwrite" },
	{ "device-lanes",
	  "--name=l --filename=/dev/disk --rw=read --bs=256k --size=10% --offset_increment=10% --numjobs=3" },
	/* As fio 3.33 does it, the sum of offset and increments is rounded up, not each of them. */
	{ "device-percent-lanes", "--name=l --filename=/dev/disk --rw=read --size=1m --offset=10% "
				  "--offset_increment=9% --numjobs=3" },
	{ "device-percent-align", "--name=l --filename=/dev/disk --rw=read --size=1m --offset=10% "
				  "--offset_increment=9% --offset_align=64k --numjobs=3" },
	{ "device-percent-mixed", "--name=l --filename=/dev/disk --rw=read --size=1m --offset=10k "
				  "--offset_increment=9% --offset_align=64k --numjobs=3" },
	{ "device-percent-beyond",
	  "--name=l --filename=/dev/disk --rw=read --offset=99% --offset_align=256m" },
	{ "device-too-large", "--name=l --filename=/dev/disk --rw=write --size=4g" },
	{ "device-offset", "--name=l --filename=/dev/disk --rw=read --offset=2g" },
	{ "zoned-managed", "--name=z --filename=/dev/disk-managed --rw=read --zonemode=zbd --zonesize=64m "
			   "--read_beyond_wp=1" },
	{ "zoned-aware", "--name=z --filename=/dev/disk-aware --allow_write=/dev/disk-aware --rw=write "
			 "--zonemode=zbd --zonesize=64m" },
#define MANAGED \
	"--name=z --filename=/dev/disk-managed --allow_write=/dev/disk-managed --zonemode=zbd --direct=1 "
	{ "managed-write", MANAGED "--rw=write --offset=1z --size=4z --zoneskip=1z" },
	{ "managed-shared", MANAGED "--rw=randwrite --size=8z --numjobs=4 --job_max_open_zones=2" },
	{ "managed-areas", MANAGED "--rw=write --size=2z --numjobs=2 --offset_increment=2z" },
	{ "managed-areas-apart",
	  MANAGED "--rw=write --size=2z --numjobs=2 --offset_increment=2z --job_max_open_zones=2" },
	{ "managed-size", MANAGED "--rw=write --zonesize=32m" },
	{ "managed-offset", MANAGED "--rw=write --offset=100m" },
	{ "managed-skip", MANAGED "--rw=write --size=4z --zoneskip=1m" },
	{ "managed-block", MANAGED "--rw=write --size=4z --bs=64m" },
	{ "managed-buffered", MANAGED "--rw=write --size=4z --direct=0" },
	{ "managed-open", MANAGED "--rw=write --size=4z --max_open_zones=5" },
	{ "managed-open-anyway", MANAGED "--rw=write --size=4z --max_open_zones=5 --ignore_zone_limits=1" },
	{ "managed-read-only", MANAGED "--rw=write --offset=12z --size=2z" },
	{ "managed-read-only-read", MANAGED "--rw=read --offset=12z --size=2z --read_beyond_wp=1" },
	{ "managed-offline", MANAGED "--rw=read --offset=12z --read_beyond_wp=1" },
	{ "managed-empty", MANAGED "--rw=read --offset=4z --size=4z" },
	{ "managed-data", MANAGED "--rw=read --offset=3z --size=4z" },
	{ "managed-trim", MANAGED "--rw=trim --size=4z --bs=64m" },
	{ "managed-trim-block", MANAGED "--rw=trim --size=4z --bs=1m" },
	{ "managed-trim-large",
	  "--name=z --filename=/dev/disk-managed-large --zonemode=zbd --direct=1 --rw=trim --size=4z" },
	{ "managed-trimwrite", MANAGED "--rw=trimwrite --size=4z" },
	{ "managed-verify", MANAGED "--rw=write --size=4z --verify=crc32c" },
	{ "managed-verify-only", MANAGED "--rw=write --size=4z --verify=crc32c --verify_only=1" },
	{ "managed-verify-read", MANAGED "--rw=read --size=4z --verify=crc32c" },
	{ "managed-verify-shared", MANAGED "--rw=write --size=4z --verify=crc32c --numjobs=2" },
	{ "managed-verify-backlog", MANAGED "--rw=write --size=4z --verify=crc32c --verify_backlog=8" },
	{ "managed-small", MANAGED "--rw=write --size=63m" },
	{ "zbd-size", "--name=z --filename=/dev/disk --rw=write --zonemode=zbd" },
#define METADATA "--name=m --ioengine=io_uring --direct=1 --rw=read --bs=4k --size=1m "
#define COMMANDS "--name=c --ioengine=io_uring_cmd --rw=read --size=1m "
	{ "commands", COMMANDS "--filename=/dev/ng-protected --pi_chk=GUARD" },
	{ "commands-block", COMMANDS "--filename=/dev/ng --bs=6k" },
	{ "commands-offset", COMMANDS "--filename=/dev/ng --bs=4k --offset=2k" },
	{ "commands-large", COMMANDS "--filename=/dev/ng --bs=1m" },
	{ "commands-closed", COMMANDS "--filename=/dev/ng-closed" },
	{ "commands-file", COMMANDS "--filename=/data/have" },
	{ "metadata-file", METADATA "--filename=/data/have --pi_act=0" },
	{ "metadata-none", METADATA "--filename=/dev/disk --md_per_io_size=64" },
	{ "metadata-kernel", METADATA "--filename=/dev/disk-metadata-closed --md_per_io_size=64" },
	{ "metadata-buffered", METADATA "--filename=/dev/disk-metadata --md_per_io_size=64 --direct=0" },
	{ "metadata-checks", METADATA "--filename=/dev/disk-protected --pi_chk=GUARD" },
	{ "metadata-reftag", METADATA "--filename=/dev/disk-protected --pi_act=0 --pi_chk=REFTAG" },
	{ "metadata-small", METADATA "--filename=/dev/disk-metadata --bs=16k --md_per_io_size=63" },
	{ "metadata-mask", METADATA "--filename=/dev/disk-protected --pi_act=0 --pi_chk=APPTAG "
				    "--apptag_mask=255 --pi_chk_by=controller" },
	{ "metadata-action", METADATA "--filename=/dev/disk-protected --md_per_io_size=64" },
	{ "metadata-protected", METADATA "--filename=/dev/disk-protected --pi_act=0 --pi_chk=GUARD" },
	{ "commands-engine", COMMANDS "--filename=/dev/ng --ioengine=psync" },
	{ "commands-metadata", COMMANDS "--filename=/dev/ng-metadata" },
	{ "commands-guard", COMMANDS "--filename=/dev/ng-protected64" },
	{ "commands-ranges",
	  COMMANDS "--filename=/dev/ng --rw=randtrim --num_range=4 --serialize_overlap=0" },
	{ "commands-ranges-overlap",
	  COMMANDS "--filename=/dev/ng --rw=randtrim --num_range=4 --serialize_overlap=1" },
	{ "commands-ranges-most", COMMANDS "--filename=/dev/ng-limits --rw=trim --bs=32k --num_range=16" },
	{ "commands-ranges-many", COMMANDS "--filename=/dev/ng-limits --rw=trim --num_range=17" },
	{ "commands-ranges-large", COMMANDS "--filename=/dev/ng-limits --rw=trim --bs=260k" },
	{ "commands-ranges-sum", COMMANDS "--filename=/dev/ng-limits --rw=trim --bs=256k --num_range=16" },
	{ "commands-unprotected", COMMANDS "--filename=/dev/ng --apptag=1" },
	{ "commands-reftag", COMMANDS "--filename=/dev/ng-protected --pi_chk=GUARD,REFTAG" },
#define PLACED COMMANDS "--rw=randrw --fdp=1 --filename=/dev/ng-fdp"
#define STREAM "--name=s --ioengine=io_uring --direct=1 --rw=write --size=1m --dataplacement=streams "
	{ "placement", PLACED },
	{ "placement-some", PLACED " --plids=3,0-1 --plid_select=random --numjobs=2" },
	{ "placement-number", PLACED " --plids=1-4" },
	{ "placement-differs", PLACED ":/dev/ng-fdp-more" },
	{ "placement-common", PLACED ":/dev/ng-fdp-more --plids=0,3" },
	{ "placement-lacking", COMMANDS "--rw=write --dataplacement=fdp --filename=/dev/ng" },
	{ "placement-uncor", PLACED " --write_mode=uncor" },
	{ "streams", STREAM "--filename=/dev/disk-streams" },
	{ "streams-number", STREAM "--filename=/dev/disk-streams --plids=0" },
	{ "streams-lacking", STREAM "--filename=/dev/disk" },
	{ "streams-file", STREAM "--filename=/data/f" },
	{ "zbd-trim", "--name=z --filename=/dev/disk --rw=randtrim --zonemode=zbd --zonesize=16m" },
	{ "zbd-read", "--name=z --filename=/dev/disk --rw=randread --zonemode=zbd --zonesize=16m" },
	{ "zbd-device", "--name=z --filename=/dev/disk --allow_write=/dev/disk --rw=randwrite --size=100m "
			"--offset=1m --zonemode=zbd "
			"--zonesize=16m --zonecapacity=12m --max_open_zones=3" },
	{ "zbd-shared", "--name=z --filename=/dev/disk --allow_write=/dev/disk --rw=randwrite --zonemode=zbd "
			"--zonesize=16m --numjobs=2" },
	{ "strided-device", "--name=z --filename=/dev/disk --rw=read --size=10z --offset=1z "
			    "--zonemode=strided --zonesize=1m --zoneskip=15m" },
	{ "strided-misaligned", "--name=z --filename=/dev/disk --rw=read --direct=1 --zonemode=strided "
				"--zonesize=1m --zoneskip=512" },
	{ "trim-device", "--name=t --filename=/dev/disk --rw=randtrim --bs=64k" },
	{ "trim-device-none", "--name=t --filename=/dev/disk-no-trim --rw=trimwrite" },
	{ "trim-device-unit", "--name=t --filename=/dev/disk-trim-unit --rw=trim --bs=32k --numjobs=2" },
	{ "trim-device-misaligned", "--name=t --filename=/dev/disk --rw=trim --bs=1k" },
	{ "trim-device-split", "--name=t --filename=/dev/disk --rw=trim --bssplit=4k/50:6k/50" },
	{ "trim-device-range", "--name=t --filename=/dev/disk --rw=trimwrite --bsrange=4k-10k" },
	{ "trim-device-unaligned",
	  "--name=t --filename=/dev/disk --rw=randtrim --bsrange=4k-8k --bs_unaligned=1" },
	{ "trim-device-ba", "--name=t --filename=/dev/disk --rw=randtrim --bs=8k --ba=512" },
	{ "trim-device-stride", "--name=t --filename=/dev/disk --rw=trim:1k --bs=4k" },
	{ "trim-device-zones",
	  "--name=t --filename=/dev/disk --rw=trim --zonemode=strided --zonesize=6k --zonerange=6k" },
	{ "trim-device-mounted", "--name=t --filename=/dev/disk-mounted --rw=trim" },
	{ "trim-device-queued",
	  "--name=t --filename=/dev/disk-queued --rw=randtrim --ioengine=io_uring --iodepth=8" },
	{ "trim-device-single", "--name=t --filename=/dev/disk --rw=randtrim --ioengine=io_uring --iodepth=8 "
				"--numjobs=2" },
	{ "trimwrite-single", "--name=t --filename=/dev/disk-queued:/data/f --size=1m --rw=trimwrite "
			      "--ioengine=io_uring --iodepth=8" },
	{ "trim-file", "--name=t --filename=/data/f --size=1m --rw=trimwrite --bs=,4k,16k" },
	{ "trim-file-short", "--name=t --filename=/data/have-mark --size=128m --rw=trim" },
	{ "trim-file-deep",
	  "--name=t --filename=/data/f --size=1m --rw=trim --ioengine=io_uring --iodepth=8" },
	{ "trim-percentage-polled",
	  "--name=t --filename=/data/f --size=1m --rw=randwrite --direct=1 --verify=crc32c "
	  "--trim_percentage=50 --ioengine=io_uring --hipri=1 --iodepth=8" },
	{ "trim-file-secure", "--name=t --filename=/data/f --size=1m --rw=trim --trim_kind=secure" },
	{ "theirs", "--name=w --filename=/data/have --size=1m --rw=write" },
	{ "theirs-allowed", "--name=w --filename=/data/have --size=1m --rw=write --allow_write=/data/have" },
	{ "theirs-append", "--name=w --filename=/data/have --size=1m --rw=write --file_append=1" },
	{ "theirs-trim", "--name=t --filename=/data/f:/data/have --size=1m --rw=randtrim" },
	{ "theirs-verify-only",
	  "--name=v --filename=/data/have --size=1m --rw=write --verify=md5 --verify_only" },
	{ "theirs-generated", "--name=have --directory=/data --size=1m --rw=write" },
	{ "theirs-holes", "--name=w --filename=/data/have-holes --size=1m --rw=write" },
	{ "theirs-unknown", "--name=w --filename=/data/have-unmarkable --size=1m --rw=write" },
	{ "theirs-link", "--name=have-link --directory=/data --size=1m --rw=write" },
	{ "system", "--name=w --filename=/data/have-system --size=1m --rw=write" },
	{ "system-generated", "--name=have-system --directory=/data --size=1m --rw=write" },
	{ "zones-beyond",
	  "--name=z --filename=/dev/disk --rw=randread --random_distribution=zoned_abs:50/1g:50/1k" },
	{ "zones-fit",
	  "--name=z --filename=/dev/disk --rw=randread --random_distribution=zoned_abs:50/1m:50" },
	{ "atomic", "--name=a --filename=/dev/disk-atomic --rw=randwrite --direct=1 --atomic=1 --bs=16k "
		    "--ioengine=pvsync2" },
	{ "atomic-none",
	  "--name=a --filename=/dev/disk --rw=randwrite --direct=1 --atomic=1 --bs=16k --ioengine=pvsync2" },
	{ "atomic-large", "--name=a --filename=/dev/disk-atomic --rw=randwrite --direct=1 --atomic=1 "
			  "--bs=128k --ioengine=pvsync2" },
	{ "atomic-odd", "--name=a --filename=/dev/disk-atomic --rw=randwrite --direct=1 --atomic=1 --bs=12k "
			"--ioengine=pvsync2" },
	{ "atomic-offset", "--name=a --filename=/dev/disk-atomic --rw=write --direct=1 --atomic=1 --bs=16k "
			   "--offset=4k --ioengine=pvsync2" },
	{ "ramp-size-all", "--name=r --ioengine=null --size=64k --ramp_size=64k" },
	{ "ramp-size", "--name=r --filename=/dev/disk --rw=read --ramp_size=1m" },
	{ "device-misaligned", "--name=l --filename=/dev/disk --rw=read --direct=1 --bs=512" },
	{ "device-mounted", "--name=l --filename=/dev/disk-mounted --rw=write --size=1m" },
	{ "device-mounted-flag",
	  "--name=l --filename=/dev/disk-mounted --rw=write --size=1m --allow_mounted_write=1" },
	{ "device-mounted-allowed",
	  "--name=l --filename=/dev/disk-mounted --rw=write --size=1m --allow_write=/dev/disk-mounted" },
	{ "device-mounted-read", "--name=l --filename=/dev/disk-mounted --rw=read --size=1m" },
	{ "nrfiles", "--name=n --directory=/data:/more --numjobs=2 --nrfiles=3 --size=10m --rw=write" },
	{ "filesize", "--name=n --directory=/data --nrfiles=4 --filesize=1m --size=2m --rw=write" },
	{ "filesize-percent",
	  "--name=n --directory=/data --nrfiles=2 --filesize=64m --size=25% --offset=25% --rw=write" },
	{ "io-size", "--name=n --directory=/data --size=1m --io_size=2560k --rw=write --bs=64k --loops=3" },
	{ "no-size", "--name=n --directory=/data --rw=read" },
	{ "small", "--name=n --directory=/data --rw=read --size=2k" },
	{ "no-directory", "--name=n --directory=/nowhere --rw=read --size=1m" },
	{ "directory-windows", "--name=n --directory=C:\\data --rw=read --size=1m" },
	{ "directory-windows-slash", "--name=n --directory=C:/data --rw=read --size=1m" },
	{ "filename-windows", "--name=n --filename=C:\\data\\x --rw=write --size=1m" },
	{ "filename-windows-escaped", "--name=n --filename=/data/f:D\\:\\x --rw=read" },
	{ "filename-windows-device", "--name=n --filename=\\\\.\\PhysicalDrive1 --rw=read" },
	{ "no-device", "--name=n --filename=/dev/nodev --rw=randread" },
	{ "no-device-percent", "--name=n --filename=/dev/nodev --rw=randread --size=50%" },
	{ "no-permission-read", "--name=n --filename=/data/closed --rw=randread" },
	{ "no-permission-write", "--name=n --filename=/data/closed --rw=write --size=128m" },
	{ "format-leaves",
	  "--name=n --directory=/data --filename_format=$jobnum/../../x --rw=write --size=1m" },
	{ "format-stays",
	  "--name=n --directory=/data --filename_format=..$jobnum/../x --rw=write --size=1m" },
	{ "job-name-leaves", "--name=../n --directory=/data --rw=write --size=1m" },
	{ "percent-missing", "--name=n --directory=/data --rw=read --size=50%" },
	{ "no-space", "--name=n --filename=/data/full --rw=read --size=8m" },
	{ "create-on-open",
	  "--name=n --directory=/data --rw=write --size=1m --create_on_open=1 --nrfiles=2" },
	{ "overwrite", "--name=n --directory=/data --rw=randwrite --size=1m --overwrite=1" },
	{ "file-operations",
	  "--filename=/data/f:/data/g --filesize=4k --name=make --ioengine=filecreate --name=look "
	  "--stonewall "
	  "--ioengine=filestat --name=again --stonewall --ioengine=filecreate --name=gone --stonewall "
	  "--ioengine=filedelete --name=anew --stonewall --ioengine=filecreate" },
	{ "file-operations-at-once", "--filename=/data/f --filesize=4k --name=make --ioengine=filecreate "
				     "--name=look --ioengine=filestat" },
	{ "look-and-lay-out", "--name=look --ioengine=filestat --filename=/data/f:/data/have --filesize=4k" },
	{ "look-beside-reads",
	  "--filename=/data/f --name=look --ioengine=filestat --filesize=4k --name=r --size=1m" },
	{ "delete-not-ours", "--name=gone --ioengine=filedelete --filename=/data/have" },
	{ "delete-marked", "--name=gone --ioengine=filedelete --filename=/data/have-mark" },
	{ "directories",
	  "--name=gone --ioengine=dirdelete --filename=/data/f --name=other --ioengine=dirstat "
	  "--filename=/data/g" },
	{ "alter", "--size=1m --name=a --filename=/data/f --ioengine=falloc --rw=write --name=b --stonewall "
		   "--ioengine=falloc --rw=read --filename=/data/g" },
	{ "no-io",
	  "--name=a --ioengine=cpuio --cpuload=50 --runtime=3 --name=b --ioengine=exec --program=true" },
	{ "groups", "--directory=/data --size=1m --name=a --group_reporting --numjobs=2 --name=b --new_group "
		    "--name=c --stonewall" },
	{ "thread-group", "--thread --thread_group=g --numjobs=2 --ioengine=libaio --size=1m --name=a "
			  "--filename=/data/a --iodepth=3 "
			  "--rw=read --offset_shared=1 --name=b --filename=/data/b:/data/c --bs=64k "
			  "--rw=write --create=always" },
	{ "thread-group-pool",
	  "--thread --thread_group=g --thread_group_depth=9 --numjobs=4 --ioengine=libaio --size=1m --name=a "
	  "--filename=/data/a --thread_group_weight=0/1:3/2 --name=b --filename=/data/b --bs=64k --rw=write "
	  "--thread_group_weight=3/1 --offset_increment=64k" },
	{ "thread-group-nobody",
	  "--thread --thread_group=g --size=1m --name=a --filename=/data/a --thread_group_weight=0/1 "
	  "--name=b --filename=/data/a --thread_group_weight=3/1" },
	{ "thread-group-prio",
	  "--thread --thread_group=g --size=1m --name=a --filename=/data/a --prioclass=3 --name=b "
	  "--filename=/data/b" },
	{ "thread-group-rate", "--thread --thread_group=g --size=1m --name=a --filename=/data/a --name=b "
			       "--filename=/data/b --rate=1m" },
	{ "thread-group-device", "--thread --thread_group=g --size=1m --name=a --filename=/dev/disk-mounted "
				 "--name=b --filename=/data/b --rw=write" },
	{ "thread-group-mounted",
	  "--thread --thread_group=g --size=1m --name=a --filename=/data/have --name=b "
	  "--filename=/dev/disk-mounted --rw=write" },
	{ "thread-group-not-ours",
	  "--thread --thread_group=g --size=128m --name=a --filename=/data/b --rw=write "
	  "--allow_write=/data/have --name=b --filename=/more/have" },
	{ "verify-write", "--name=v --filename=/data/f --size=4m --rw=randwrite --verify=crc32c" },
	{ "verify-read", "--name=v --filename=/data/have --rw=randread --verify=crc32c" },
	{ "verify-only",
	  "--name=v --filename=/data/have --size=64m --rw=randwrite --verify=crc32c --verify_only" },
	{ "verify-only-mounted",
	  "--name=v --filename=/dev/disk-mounted --size=1m --rw=write --verify=crc32c --verify_only" },
	{ "verify-only-readonly", "--readonly --name=v --filename=/data/have --size=1m --rw=trimwrite "
				  "--verify=crc32c --verify_only" },
	{ "verify-only-no-permission",
	  "--name=v --filename=/data/closed --size=1m --rw=write --verify=crc32c --verify_only" },
	{ "verify-only-missing",
	  "--name=v --filename=/data/f --size=4m --rw=write --verify=crc32c --verify_only" },
	{ "verify-only-missing-no-size",
	  "--name=v --filename=/data/f --rw=write --verify=crc32c --verify_only" },
	{ "verify-only-short",
	  "--name=v --filename=/data/have --size=65m --rw=write --verify=crc32c --verify_only" },
	{ "verify-read-missing", "--name=v --filename=/data/f --size=4m --rw=read --verify=crc32c" },
	{ "verify-read-short", "--name=v --filename=/data/have-mark --size=65m --rw=read --verify=crc32c" },
	{ "verify-after-write",
	  "--filename=/data/f --size=4m --verify=crc32c --rw=write --name=w --name=v --stonewall "
	  "--verify_only --name=r --wait_for=v --rw=randread" },
	{ "verify-with-write",
	  "--filename=/data/f --size=4m --verify=crc32c --rw=write --name=w --name=v --verify_only" },
	{ "null", "--name=n --ioengine=null --size=1g --rw=randrw --iodepth=8 --bs=4k,8k --thread" },
	{ "times",
	  "--name=n --ioengine=null --size=1g --runtime=1m --ramp_time=1500ms --startdelay=2 --time_based" },
};

static char *committed(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = calloc(1, 1 << 16);

	if (f && text && !fread(text, 1, (1 << 16) - 1, f))
		text[0] = '\0';
	if (f)
		fclose(f);
	return text;
}

static void check(const char *name, const char *text)
{
	const char *dir = getenv("GOLDEN_DIR");
	char path[1024];
	char *want;

	snprintf(path, sizeof(path), "%s/plan/%s.txt", dir ? dir : "t/golden", name);
	if (getenv("UPDATE")) {
		FILE *f = fopen(path, "we");

		assert_non_null(f);
		fputs(text, f);
		fclose(f);
	}
	want = committed(path);
	assert_string_equal(text, want);
	free(want);
}

static void test_plans(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++) {
		struct strbuf b = { 0 };

		strbuf_printf(&b, "fiord check %s\n", plans[i].line);
		plan_text(plans[i].line, &b);
		check(plans[i].name, strbuf_str(&b));
		strbuf_fini(&b);
	}
}

/* The same jobs and facts give the same plan. */
static void test_pure(void **state)
{
	struct strbuf a = { 0 }, b = { 0 };

	(void)state;
	plan_text("--name=n --directory=/data --filesize=4k-64k --nrfiles=20 --rw=write", &a);
	plan_text("--name=n --directory=/data --filesize=4k-64k --nrfiles=20 --rw=write", &b);
	assert_string_equal(strbuf_str(&a), strbuf_str(&b));
	strbuf_fini(&a);
	strbuf_fini(&b);
}

/* Plans a replay of this trace on a namespace whose ranges of trims have at most 256 KiB, and transfers at
   most 512 KiB, and expects this text in the plan or the error. */
static void check_trims(const char *events, const char *want)
{
	char path[] = "/tmp/fiord-trims.XXXXXX", line[256];
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	struct strbuf b = { 0 };

	assert_non_null(f);
	fprintf(f, "fio version 2 iolog\nx add\nx open\n%sx close\n", events);
	fclose(f);
	snprintf(line, sizeof(line),
		 "--name=c --ioengine=io_uring_cmd --replay_redirect=/dev/ng-limits --read_iolog=%s", path);
	plan_text(line, &b);
	unlink(path);
	if (!strstr(strbuf_str(&b), want))
		fail_msg("%s: no \"%s\"", strbuf_str(&b), want);
	strbuf_fini(&b);
}

static void test_replayed_trims(void **state)
{
	(void)state;
	check_trims("x trim 0 262144\nx write 0 524288\n", "1 worker in 1 wave");
	check_trims("x trim 0 4096\nx trim 4096 266240\nx trim 0 8192\n",
		    ":5); one range of a trim of /dev/ng-limits has 256 KiB at most (DMRSL)");
	check_trims("x trim 0 4096\nx trim 4096 266240\nx trim 0 8192\n", "a trim of 260 KiB (");
	check_trims("x write 0 4096\nx trim 4096 1048576\n", "a trim of 1 MiB (");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_plans), cmocka_unit_test(test_pure),
					    cmocka_unit_test(test_replayed_trims) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
