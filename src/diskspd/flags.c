#include "flags.h"

#include <string.h>
#include "parse.h"
#include "strbuf.h"
#include "profile_text.h"

#define SINCE_21 DS_SINCE_21
#define WIN      DS_SINCE_20
#define ALL      (DS_SINCE_20 | DS_PORT)
#define T(f)     .field = offsetof(struct ds_target, f)
#define S(f)     .of_span = true, .field = offsetof(struct ds_span, f)

/* clang-format off */
const struct ds_flag ds_flags[] = {
	/* form, value, dialects, help, support, job options, why, reader, first_pass, field */
	{ "-?", "", ALL, "print this text", DS_EXACT, "", "", ds_read_usage, 1 },
	{ "-a", "[g<g>,]<cpu>[,...]", WIN, "pin the threads to these processors in turn; -a, -ag: all (default)",
	  DS_EXACT, "cpus_allowed= cpus_allowed_policy=split cpu_list=", "group g, processor c is CPU 64g+c", ds_read_affinity, 0 },
	{ "-a", "<cpu>[-<cpu>][,...]", DS_PORT, "pin the threads to these CPUs in turn",
	  DS_EXACT, "cpus_allowed= cpus_allowed_policy=split cpu_list=", "", ds_read_port_affinity, 0 },
	{ "-a", "[c][s][p|P|e|E|up]", DS_SINCE_23, "order of the processors: by core, over groups, by efficiency class",
	  DS_APPROX, "cpu_order=", "from this machine's topology", NULL, 0 },
	{ "-A", "<n>", WIN, "number of CrystalDiskMark's process, an option of its own DISKSPD", DS_IGNORED, "", "it has no effect on the load",
	  ds_read_parent_process, 0 },
	{ "-b", "<size>", ALL, "block size (64K)", DS_EXACT, "bs=", "", ds_read_block, 1 },
	{ "-bs", "<n|p>", DS_SINCE_23, "place of threads' buffers: the system's default (n), or spread (p, default)",
	  DS_IGNORED, "", "the layout of buffers is the engine's", ds_read_separation, 0 },
	{ "-B", "<base>[:<length>]", WIN, "start and length of the area in the target",
	  DS_EXACT, "offset= size=", "", ds_read_base, 0 },
	{ "-B", "<base>", DS_PORT, "start of the area in the target", DS_EXACT, "offset=", "", ds_read_base, 0 },
	{ "-c", "<size>", WIN, "create the files, or create them again, in this size", DS_EXACT,
	  "filesize= create_size= create=always create_fill=", "", ds_read_create, 0 },
	{ "-c", "<size>", DS_PORT, "create the files; keep a file that is large enough", DS_EXACT, "filesize=", "",
	  ds_read_port_create, 0 },
	{ "-C", "<s>", WIN, "cool-down: the load goes on unmeasured (0)", DS_EXACT, "cooldown=", "", ds_read_cooldown, 1 },
	{ "-d", "<s>", ALL, "measured time (10)", DS_EXACT, "runtime= time_based=1 ramp_only=1", "", ds_read_duration, 1 },
	{ "-D", "[<ms>]", ALL, "deviation of IOPS over intervals of this many ms (1000)", DS_EXACT, "iopsavgtime=", "",
	  ds_read_buckets, 0 },
	{ "-e", "<q|c|s|p|EVENT>", WIN, "ETW events to count, and their clock", DS_APPROX, "",
	  "no ETW; the report has the kernel's counters of disks, faults, processes and network", ds_read_events, 0 },
	{ "-f", "<size>", WIN, "no I/O beyond this offset", DS_APPROX, "size=",
	  "of a smaller target all is used", ds_read_max, 0 },
	{ "-f", "<size>", DS_PORT, "no I/O beyond this offset", DS_APPROX, "size=",
	  "of a smaller target all is used", ds_read_max, 0 },
	{ "-f", "<r|s|t>", WIN, "hints: random access, sequential scan, temporary file; they combine", DS_APPROX,
	  "fadvise_hint=", "advice to the page cache; -ft has no counterpart", NULL, 0 },
	{ "-F", "<n>", ALL, "number of threads for all targets together; each works on every target", DS_EXACT, "numjobs= iodepth_per_file= thread_group=", "",
	  ds_read_count, 0, S(threads) },
	{ "-g", "<n>[i]", WIN, "limit per thread and target: bytes per ms, with i IOPS", DS_APPROX,
	  "rate= rate_iops= rate_total=1", "paced for each I/O instead of once per ms", ds_read_rate, 0 },
	{ "-g", "<size>", DS_PORT, "limit per thread and target: bytes per ms", DS_APPROX, "rate= rate_total=1",
	  "paced for each I/O instead of once per ms", ds_read_port_rate, 0 },
	{ "-h", "", WIN, "old spelling of -Sh", DS_APPROX, "direct=1 sync=dsync", "the same as -Sh", ds_read_old_cache, 0 },
	{ "-i", "<n>", WIN, "number of I/Os in a burst before the pause of -j", DS_APPROX, "thinktime_blocks=",
	  "bursts are counted per thread", ds_read_burst, 0 },
	{ "-j", "<ms>", WIN, "pause after each burst", DS_APPROX, "thinktime=", "the same as -i", ds_read_think, 0 },
	{ "-I", "<1|2|3>", WIN, "I/O priority: very low, low, normal (default)", DS_APPROX, "prioclass= prio=",
	  "only I/O schedulers with priorities use them", ds_read_priority, 0 },
	{ "-l", "", WIN, "large pages for buffers", DS_APPROX, "iomem=mmaphuge", "needs reserved huge pages",
	  ds_read_switch, 0, T(large_pages) },
	{ "-L", "", ALL, "measure latencies", DS_EXACT, "lat_percentiles=1 percentile_list=", "", ds_read_switch, 0, S(latency) },
	{ "-n", "", ALL, "do not pin threads", DS_EXACT, "", "", ds_read_switch, 0, S(no_affinity) },
	{ "-N", "<v|n|i>", WIN, "with -Sm, flush after each write: the view, non-volatile memory, the same without drain",
	  DS_EXACT, "mmap_flush=", "", ds_read_flush, 0 },
	{ "-o", "<n>", ALL, "outstanding I/Os per thread and target (2)", DS_EXACT, "iodepth=", "", ds_read_depth, 0 },
	{ "-oc", "<1..16>", DS_SINCE_23, "completions to reap at a time (16)", DS_EXACT, "iodepth_batch_complete_max=",
	  "", ds_read_completions, 0 },
	{ "-O", "<n>", WIN, "with -F: outstanding I/Os per thread over all targets", DS_EXACT,
	  "iodepth= file_service_type=random file_weights= thread_group_depth=", "", ds_read_pool_depth, 0 },
	{ "-p", "", WIN, "each outstanding I/O has its own sequential position", DS_EXACT, "seq_per_slot=1", "",
	  ds_read_switch, 0, T(parallel) },
	{ "-P", "[<n>]", WIN, "print a dot after this many I/Os (65536)", DS_IGNORED, "", "fiord shows its own progress",
	  ds_read_progress, 0 },
	{ "-r", "[<size>]", WIN, "random offsets, aligned to size (to the block)", DS_EXACT,
	  "rw=randread norandommap=1 blockalign=", "not the same offsets as DISKSPD's with this seed", ds_read_random, 0 },
	{ "-r", "[<size>]", DS_PORT, "random offsets, aligned to size (64K, even if the block is smaller)", DS_EXACT,
	  "rw=randread norandommap=1 blockalign=", "not the same offsets as with this seed there", ds_read_random, 0 },
	{ "-rs", "<1..100>", SINCE_21, "percentage of random I/O; the rest follows the previous I/O", DS_EXACT,
	  "percentage_random= seq_runs=homogeneous", "", ds_read_random_share, 0 },
	{ "-rd", "<pct|abs><io>/<target>[:...]", SINCE_21, "percentages of the I/O to parts of the target",
	  DS_EXACT, "random_distribution= random_clip=1", "", ds_read_distribution, 0 },
	{ "-R", "<text|xml>", WIN, "report format (text)", DS_EXACT, "", "", ds_read_report, 1 },
	{ "-Rp", "[text|xml]", SINCE_21, "print the profile, do not run", DS_EXACT, "", "fiord diskspd --to-profile", NULL, 0 },
	{ "-Rs", "[text|xml]", DS_SINCE_23, "print the description of the system only", DS_EXACT, "", "", NULL, 0 },
	{ "-s", "[<size>]", ALL, "sequential with this step (the block)", DS_EXACT, "rw=read seq_wrap=target", "",
	  ds_read_sequential, 0 },
	{ "-si", "[<size>]", ALL, "sequential; all threads of a target share one offset", DS_EXACT, "offset_shared=1", "",
	  ds_read_interlocked, 0 },
	{ "-S", "[b][h][m][r][u][w][y][Y]", DS_SINCE_23,
	  "b cached, h as uw, m mapped, r remote cache only, u or none unbuffered, w write-through, y Y BypassIO",
	  DS_APPROX, "direct= sync=dsync ioengine=mmap remote_only=1",
	  "write-through is O_DSYNC; -Sr is direct I/O on NFS and SMB; y and Y are without effect", ds_read_cache, 0 },
	{ "-S", "[b][h][m][r][u][w]", DS_SINCE_20 & ~DS_SINCE_23,
	  "b cached, h as uw, m mapped, r remote cache only, u or none unbuffered, w write-through",
	  DS_APPROX, "direct= sync=dsync ioengine=mmap remote_only=1",
	  "write-through is O_DSYNC; -Sr is direct I/O on NFS and SMB", ds_read_cache, 0 },
	{ "-S", "<d|s|h>...", DS_PORT, "d O_DIRECT, s O_SYNC, h both; the letters combine", DS_EXACT, "direct=1 sync=1", "",
	  ds_read_port_cache, 0 },
	{ "-t", "<n>", ALL, "threads per target (1)", DS_EXACT, "numjobs=", "", ds_read_count, 0, T(threads) },
	{ "-T", "<size>", ALL, "distance between the starts of the threads (0)", DS_EXACT, "offset_increment= seq_wrap=target", "",
	  ds_read_stride, 0 },
	{ "-u", "[n][<n>|<percent>p]", DS_SINCE_23, "ring submission, in batches of n I/Os or of a percentage of the queue; -un: no registered buffers",
	  DS_EXACT, "ioengine=io_uring iodepth_batch= fixedbufs=", "", ds_read_ring, 0 },
	{ "-v", "[s]", WIN, "verbose, with wait statistics (2.2)", DS_APPROX, "", "in the report; the wait statistics are those of the engine", ds_read_verbose, 1 },
	{ "-v", "", DS_PORT, "verbose", DS_EXACT, "", "in the report", ds_read_verbose, 1 },
	{ "-w", "<0..100>", SINCE_21, "percentage of writes (0)", DS_EXACT, "rw= rwmixwrite= rwmix_shared_pos=1", "",
	  ds_read_write, 0 },
	{ "-w", "[<0..100>]", DS_IN(DS_DIALECT_20) | DS_PORT, "percentage of writes (0)", DS_EXACT,
	  "rw= rwmixwrite= rwmix_shared_pos=1", "", ds_read_write, 0 },
	{ "-W", "<s>", ALL, "warm-up (5)", DS_EXACT, "ramp_time=", "", ds_read_warmup, 1 },
	{ "-x", "", WIN, "completion routines", DS_IGNORED, "", "it changes only how DISKSPD waits", ds_read_switch, 0, S(completion_routines) },
	{ "-x", "<k|p>", DS_PORT, "engine: k kernel AIO, p POSIX AIO", DS_EXACT, "ioengine=", "", ds_read_port_engine, 0 },
	{ "-X", "<file>", WIN, "run an XML profile; targets replace its *1 *2 ...", DS_EXACT, "", "one group of sections per time span",
	  ds_read_xml, 1 },
	{ "-y", "<s|f|r|p|e><name>", WIN, "events: set at start (s) or finish (f), wait for (r), stop by (p), set and exit (e)",
	  DS_EXACT, "event_start= event_finish= event_wait= event_stop=", "", ds_read_signals, 0 },
	{ "-z", "[<seed>]", ALL, "seed (0); -z alone: the clock", DS_APPROX, "randseed= randrepeat=", "repeatable, but not DISKSPD's offsets",
	  ds_read_seed, 1 },
	{ "-Z", "", WIN, "write zeros (default: the bytes 0 to 255 in turn)", DS_EXACT, "zero_buffers=1 buffer_pattern=", "", ds_read_write_buffer, 0 },
	{ "-Zr", "", WIN, "new random data for every write", DS_EXACT, "refill_buffers=1", "", NULL, 0 },
	{ "-Z", "<size>[,<file>]", WIN, "write slices of a buffer of this size, random or read from the file",
	  DS_EXACT, "write_pool= write_pool_file=", "", NULL, 0 },
	{ "-Z", "<z|r|s>...", DS_PORT, "write zeros (z) or random data (r) instead of the bytes 0 to 255; reads do not change it (s, always so)", DS_EXACT,
	  "buffer_pattern= zero_buffers=1 refill_buffers=1", "", ds_read_port_content, 0 },
	{ "-:", "<n>", SINCE_21, "experimental flags", DS_IGNORED, "", "they are internal to DISKSPD", ds_read_experiments, 1 },
};
/* clang-format on */

const size_t ds_flag_count = sizeof(ds_flags) / sizeof(ds_flags[0]);

const struct ds_flag *ds_flag_find(enum ds_dialect dialect, const char *arg)
{
	const struct ds_flag *best = NULL;

	for (size_t i = 0; i < ds_flag_count; i++) {
		const struct ds_flag *f = &ds_flags[i];
		size_t len = strlen(f->form);

		if (f->read && (f->dialects & DS_IN(dialect)) && !strncmp(arg, f->form, len) &&
		    (!best || len > strlen(best->form)))
			best = f;
	}
	return best;
}

bool ds_flag_bare(enum ds_dialect dialect, const struct ds_flag *flag)
{
	for (size_t i = 0; i < ds_flag_count; i++) {
		const struct ds_flag *f = &ds_flags[i];

		if ((f->dialects & DS_IN(dialect)) && !strcmp(f->form, flag->form) && f->value[0])
			return false;
	}
	return true;
}

bool ds_flag_becomes(const struct ds_flag *flag, const char *option)
{
	size_t n = strlen(option);

	for (const char *s = flag->option; (s = strstr(s, option)); s += n)
		if (s[n] == '=' && (s == flag->option || s[-1] == ' '))
			return true;
	return false;
}

void ds_usage(enum ds_dialect dialect, const char *program, struct strbuf *out)
{
	strbuf_printf(out, "\nUsage: %s [options] target1 [ target2 [ target3 ...] ]\nversion %s (%s)\n\n",
		      program, DISKSPD_VERSION, DISKSPD_DATE);
	strbuf_puts(out, "Targets: files and block devices; with --map also C:\\file, X:, #4, "
			 "\\\\server\\share\\file.\nSizes are digits and one of K, M, G, T or B (blocks). "
			 "Values follow their letter without a blank.\n\n");
	for (size_t i = 0; i < ds_flag_count; i++) {
		const struct ds_flag *f = &ds_flags[i];
		int width = (int)(strlen(f->form) + strlen(f->value));

		if (!(f->dialects & DS_IN(dialect)))
			continue;
		strbuf_printf(out, "  %s%s", f->form, f->value);
		if (width > 20)
			strbuf_printf(out, "\n%*s", 24, "");
		else
			strbuf_printf(out, "%*s", 22 - width, "");
		strbuf_printf(out, "%s\n", f->help);
	}
}
