/* Which DISKSPD line or profile does a job become, and what is reported as not translated? */
#include <errno.h>
#include "diskspd_lines.h"
#include "fromjob.h"
#include "cmdline.h"
#include "strbuf.h"
#include "tojob.h"
#include "profile_line.h"
#include "path_map.h"
#include "profile_xml.h"

static int load(void *ctx, const char *path, struct strbuf *out)
{
	if (strcmp(path, "x.fio"))
		return -ENOENT;
	strbuf_puts(out, ctx);
	return 0;
}

static int read_job(struct job_set *set, const char *text, struct diag *d)
{
	static char program[] = "fiord", file[] = "x.fio";
	static char *argv[] = { program, file, NULL };
	const struct jobfile_source from = { .load = load, .ctx = (void *)(uintptr_t)text };
	struct cmdline c = { 0 };

	return cmdline_parse_from(&from, &c, set, 2, argv, d);
}

/* Returns the line and the options that are not translated; NULL with d if the job is refused. */
static char *line_of(const char *text, struct notes *lost, struct diag *d)
{
	static struct cpuset cpus;
	struct job_set set = { 0 };
	struct ds_profile p;
	struct strbuf b = { 0 };

	assert_int_equal(cpuset_parse("0-3", &cpus), 0);
	if (read_job(&set, text, d)) {
		job_set_fini(&set);
		return NULL;
	}
	if (!fromjob_profile(&p, &set, &cpus, lost, d))
		for (size_t i = 0; i < p.nspans; i++) {
			if (i)
				strbuf_putc(&b, '\n');
			ds_profile_line(&p, i, &b, NULL);
		}
	ds_profile_fini(&p);
	job_set_fini(&set);
	return b.text;
}

/* Options that nearly all of these jobs have and that the test ignores. */
#define BASE BASE_WITHOUT_FILE "filename=/d/f\n"
#define BASE_WITHOUT_FILE                                                                                \
	"[x]\nruntime=10\ntime_based\nramp_time=5\ninvalidate=0\ncpus_allowed=0-3\ncpus_allowed_policy=" \
	"split\nclat_percentiles=0\n"
#define COVER "every block once (no norandommap): -r chooses each time from all blocks"
#define KEPT                                                          \
	"existing files, which the job keeps: -c creates them again|" \
	"the contents of new files: -c fills them with zeroes or the bytes 0 to 255"
#define POOL                                                                                              \
	"random data that never repeats: -Z writes slices of a pool of random data; -Zr writes new data " \
	"each time, at a cost"

#define ONE                                                                                            \
	"[global]\nruntime=10\ntime_based\nramp_time=5\ninvalidate=0\nclat_percentiles=0\nallow_file_" \
	"create=0\n"
#define TWO(a, b) ONE "[a]\nfilename=a\n" a "\n[b]\nfilename=b\n" b "\n"
#define HAS_ONE   ": a time span has only one; that of its first job counts"

/* Of the lines that are not translated, those that begin with one of these, between bars. */
static const struct {
	const char *job, *line, *lost;
} jobs[] = {
	{ BASE, "diskspd -b4K -o1 /d/f", "" },
	{ BASE "bs=64k\nioengine=libaio\niodepth=2\ndirect=1\n", "diskspd -Su /d/f", "" },
	{ BASE "direct=1\nsync=dsync\n", "diskspd -b4K -o1 -Sh /d/f", "" },
	{ BASE_WITHOUT_FILE
	  "sync=dsync\nthread\nthread_group=g\nnumjobs=2\nfilename=a:b\nioengine=libaio\niodepth=4\n"
	  "rate_iops=100\n",
	  "diskspd -b4K -F2 -o4 -Sw -g100i a b", "" },
	{ BASE "sync=sync\n", "diskspd -b4K -o1 -Sw /d/f",
	  "sync=sync: write-through is nearer to sync=dsync" },
	{ BASE "numjobs=8\nrw=randread\nnorandommap\n", "diskspd -b4K -t8 -o1 -r /d/f", "" },
	{ BASE "rw=randread\n", "diskspd -b4K -o1 -r /d/f", COVER },
	{ BASE "rw=randread\nnorandommap\nba=8k\n", "diskspd -b4K -o1 -r8K /d/f", "" },
	{ BASE "rw=randread\nnorandommap\npercentage_random=20\n", "diskspd -b4K -o1 -rs20 /d/f", "" },
	{ BASE "rw=randread\npercentage_random=0\n", "diskspd -b4K -o1 /d/f", "" },
	{ BASE "rw=randread\nnorandommap\nbs=4k,16k\nbs_is_seq_rand=1\n", "diskspd -b16K -o1 -r /d/f", "" },
	{ BASE "rw=randread\nnorandommap\nbs=4k,16k\nbs_is_seq_rand=1\npercentage_random=20\n",
	  "diskspd -b16K -o1 -rs20 /d/f", "several block sizes: a target has only one, here 16k" },
	{ BASE "rw=randread:8\nnorandommap\n", "diskspd -b4K -o1 -rs12 /d/f",
	  "rw=...:8: -rs chooses each I/O at random, so runs have this length only on average" },
	{ BASE "rw=randrw\nnorandommap\nrwmixread=70\nzero_buffers\n", "diskspd -b4K -o1 -r -w30 -Z /d/f",
	  "" },
	{ BASE "rw=rw\nrwmixwrite=30\nzero_buffers\n", "diskspd -b4K -o1 -w30 -Z /d/f",
	  "separate positions of reads and writes: DISKSPD has one for both" },
	{ BASE "rw=write\n", "diskspd -b4K -o1 -w100 -Z1M /d/f", POOL },
	{ BASE "rw=write\nrefill_buffers\n", "diskspd -b4K -o1 -w100 -Zr /d/f", "" },
	{ BASE "rw=write\nbuffer_pattern=0x00\n", "diskspd -b4K -o1 -w100 -Z /d/f", "" },
	{ BASE "rw=write\nbuffer_pattern=\"abc\"\n", "diskspd -b4K -o1 -w100 /d/f",
	  "buffer_pattern: DISKSPD writes the bytes 0 to 255" },
	{ BASE "rw=read:8k\n", "diskspd -b4K -o1 -s12K /d/f", "" },
	{ BASE "rw=read:-8k\n", "diskspd -b4K -o1 /d/f", "rw=...:-8192: -s only moves forwards" },
	{ BASE "size=1g\n", "diskspd -c1G -b4K -o1 /d/f", KEPT },
	{ BASE "size=1g\noffset=1m\n", "diskspd -c1025M -b4K -B1M -o1 /d/f", KEPT },
	{ BASE "filesize=2g\nsize=1g\n", "diskspd -c2G -b4K -f1G -o1 /d/f", KEPT },
	{ BASE "size=1g\nallow_file_create=0\noffset=1g\n", "diskspd -b4K -B1G:1G -o1 /d/f", "" },
	{ BASE_WITHOUT_FILE "filename=/dev/sdb\nsize=1g\n", "diskspd -b4K -f1G -o1 /dev/sdb", "" },
	{ BASE "size=50%\n", "diskspd -b4K -o1 /d/f", "size=50%: the size of the target is not known" },
	{ BASE "offset_increment=1g\nnumjobs=4\nseq_wrap=target\n", "diskspd -b4K -t4 -o1 -T1G /d/f", "" },
	{ BASE "offset_increment=1m\nnumjobs=4\nseq_wrap=target\nsize=8m\nallow_file_create=0\n",
	  "diskspd -b4K -f8M -t4 -o1 -T1M /d/f", "" },
	{ BASE "offset_increment=1g\nnumjobs=4\nrw=randread\nnorandommap\n", "diskspd -b4K -t4 -o1 -r /d/f",
	  "offset_increment: -T is only for threads that use one file sequentially" },
	{ BASE "rate=1m\n", "diskspd -b4K -o1 -g1048 /d/f", "" },
	{ BASE "rate_iops=100\n", "diskspd -b4K -o1 -g100i /d/f", "" },
	{ BASE "rate_iops=200000\nbs=64k\n", "diskspd -o1 -g13107200 /d/f", "" },
	{ BASE "rate=999\n", "diskspd -b4K -o1 /d/f", "rate: -g cannot be below one byte per ms and target" },
	{ BASE "thinktime=5ms\nthinktime_blocks=10\nnumjobs=3\n", "diskspd -b4K -t3 -o1 -i30 -j5 /d/f", "" },
	{ BASE "thinktime=5ms-10ms\n", "diskspd -b4K -o1 -i1 -j10 /d/f",
	  "thinktime: -j has one length, here the longest of the range" },
	{ BASE "thinktime=50\n", "diskspd -b4K -o1 -i1 -j1 /d/f", "thinktime: -j has whole ms, here 1" },
	{ BASE "random_distribution=zoned:90/10:10/90\nrw=randread\n", "diskspd -b4K -o1 -r -rdpct90/10 /d/f",
	  "" },
	{ BASE "random_distribution=zoned_abs:90/1g:10/\nrw=randread\nsize=4g\nallow_file_create=0\n",
	  "diskspd -b4K -f4G -o1 -r -rdabs90/1G /d/f", "" },
	{ BASE "ioengine=mmap\niodepth=1\n", "diskspd -b4K -o1 -Sm /d/f", "" },
	{ BASE "iomem=mmaphuge\n", "diskspd -b4K -o1 -l /d/f", "" },
	{ BASE "prioclass=3\n", "diskspd -b4K -o1 -I1 /d/f", "" },
	{ BASE "prioclass=2\nprio=7\n", "diskspd -b4K -o1 -I2 /d/f", "" },
	{ BASE "fadvise_hint=random\n", "diskspd -b4K -o1 -fr /d/f", "" },
	{ BASE "cpus_allowed=1,3\n", "diskspd -b4K -o1 -a1,3 /d/f", "" },
	{ BASE "cpus_allowed=64\n", "diskspd -b4K -o1 -ag1,0 /d/f", "" },
	{ BASE "cpus_allowed=1,3\ncpus_allowed_policy=shared\n", "diskspd -b4K -o1 -a1,3 /d/f",
	  "cpus_allowed_policy=shared: DISKSPD pins each thread to one processor" },
	{ BASE "randseed=7\n", "diskspd -b4K -o1 -z7 /d/f", "" },
	{ BASE "randrepeat=0\n", "diskspd -b4K -o1 -z /d/f", "" },
	{ BASE "lat_percentiles=1\n", "diskspd -b4K -o1 -L /d/f", "" },
	{ BASE "cooldown=3\n", "diskspd -b4K -o1 -C3 /d/f", "" },
	{ BASE "bs=4k,64k\nrw=rw\nzero_buffers\nrwmix_shared_pos=1\n", "diskspd -o1 -w50 -Z /d/f",
	  "several block sizes: a target has only one, here 64k" },
	{ BASE "bssplit=4k/90:64k/10\n", "diskspd -b4K -o1 /d/f",
	  "several block sizes: a target has only one, here 4k" },
	/* Options without a counterpart, and some without effect. */
	{ BASE "fsync=32\ngroup_reporting\ndescription=x\nloops=1\nnice=0\n", "diskspd -b4K -o1 /d/f",
	  "fsync=32" },
	{ BASE "io_size=1g\nend_fsync=1\n", "diskspd -b4K -o1 /d/f", "io_size=1g|end_fsync=1" },
	{ BASE "rate=1m\nrate_process=poisson\n", "diskspd -b4K -o1 -g1048 /d/f", "rate_process=poisson" },
	{ BASE "startdelay=5\nunlink=1\n", "diskspd -b4K -o1 /d/f", "startdelay=5|unlink=1" },
	/* The end of the run. */
	{ "[x]\nfilename=f\nsize=1m\nallow_file_create=0\ninvalidate=0\n",
	  "diskspd -b4K -f1M -o1 -W0 -L -n f",
	  "the end of the job when its data is done: DISKSPD runs for a fixed time, here -d10" },
	{ "[x]\nfilename=f\nsize=1m\nallow_file_create=0\ninvalidate=0\nruntime=1500ms\n",
	  "diskspd -b4K -f1M -o1 -d2 -W0 -L -n f",
	  "runtime: DISKSPD has whole seconds, so it is rounded up|"
	  "the end before runtime when its data is done (no time_based)" },
	/* Several files and several jobs. */
	{ BASE_WITHOUT_FILE
	  "filename=a:b\nfile_service_type=random\niodepth=8\nioengine=libaio\nnumjobs=2\ndirect=1\n",
	  "diskspd -b4K -F2 -O8 -Su a b", "" },
	{ BASE_WITHOUT_FILE "filename=a:b\niodepth=8\nioengine=libaio\ndirect=1\n",
	  "diskspd -b4K -F1 -O8 -Su a b", "file_service_type: -O chooses a file at random for each I/O" },
	{ BASE_WITHOUT_FILE "filename=a:b\nfile_service_type=random\nfile_weights=2:1\nnorandommap\n",
	  "diskspd -b4K -F1 -O1 a b", "" },
	{ "[x]\nfilename=a\nruntime=10\ntime_based\ninvalidate=0\n[y]\nfilename=b\nruntime=20\ntime_based\n"
	  "invalidate=0\nfsync=3\n",
	  "diskspd -b4K -o1 -d20 -W0 -L -n a b",
	  "[y] runtime: a time span has only one; the longest of its jobs counts|[y] fsync=3" },
	{ "[global]\nruntime=10\ntime_based\ninvalidate=0\nfdatasync=2\n[x]\nfilename=a\n[y]"
	  "\nstonewall\nfilename=b\n",
	  "diskspd -b4K -o1 -W0 -L -n a\ndiskspd -b4K -o1 -W0 -L -n b", "fdatasync=2" },
	/* Several sections: a setting of the time span comes from the first section, and the others are
	   reported. */
	{ ONE "[a]\ncpu_list=0,1,4-7\nfilename=/d/a\n", "diskspd -b4K -o1 -a0,1,4,5,6,7 /d/a", "" },
	{ ONE "[a]\ncpu_list=3,1,4-70,3\nfilename=/d/a\n",
	  "diskspd -b4K -o1 -ag0,3,1,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,"
	  "30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,"
	  "62,"
	  "63 -ag1,0,1,2,3,4,5,6 -ag0,3 /d/a",
	  "" },
	{ TWO("cpu_list=0", "cpu_list=1"), "diskspd -b4K -o1 -a0 a b", "[b] cpu_list" HAS_ONE },
	{ TWO("cpu_list=0,1", "cpu_list=0-1"), "diskspd -b4K -o1 -a0,1 a b", "" },
	{ TWO("cpu_list=2", ""), "diskspd -b4K -o1 -a2 a b", "[b] cpu_list" HAS_ONE },
	{ TWO("cpu_order=c", "cpu_order=s"), "diskspd -b4K -o1 -ac a b", "[b] cpu_order" HAS_ONE },
	{ TWO("cpus_allowed=1\ncpus_allowed_policy=split", "cpus_allowed=2\ncpus_allowed_policy=split"),
	  "diskspd -b4K -o1 -a1 a b", "[b] cpus_allowed" HAS_ONE },
	{ TWO("randseed=1", "randseed=2"), "diskspd -b4K -o1 -z1 -n a b", "[b] randseed" HAS_ONE },
	{ TWO("", "randrepeat=0"), "diskspd -b4K -o1 -n a b", "[b] randrepeat" HAS_ONE },
	{ TWO("iopsavgtime=200", "iopsavgtime=300"), "diskspd -b4K -o1 -D200 -n a b",
	  "[b] iopsavgtime" HAS_ONE },
	{ TWO("", "iopsavgtime=300"), "diskspd -b4K -o1 -D300 -n a b",
	  "[b] iopsavgtime: for all jobs of a time span (-D), or for none" },
	{ TWO("", "lat_percentiles=1"), "diskspd -b4K -o1 -L -n a b",
	  "[b] latencies: DISKSPD measures them for all jobs of a time span (-L), or for none" },
	{ TWO("ioengine=io_uring\niodepth=8\nfixedbufs\niodepth_batch=2", "ioengine=io_uring\niodepth=8"),
	  "diskspd -b4K -o8 -n -u a b",
	  "[b] ioengine=io_uring: -u is for all threads of a time span or for none, here for all" },
	{ TWO("ioengine=libaio\ndirect=1\niodepth=8\niodepth_batch_complete_max=4",
	      "ioengine=libaio\ndirect=1\niodepth=8\niodepth_batch_complete_max=3"),
	  "diskspd -b4K -o8 -Su -n -oc4 a b", "[b] iodepth_batch_complete_max" HAS_ONE },
	{ TWO("rw=write\nrefill_buffers", "refill_buffers"), "diskspd -b4K -o1 -w100 -Zr -n a b", "" },
	{ TWO("rw=write\nzero_buffers", "rw=write\nrefill_buffers"), "diskspd -b4K -o1 -w100 -Z -Zr -n a b",
	  "[b] refill_buffers: -Zr is for all targets of a time span, also for the jobs before" },
	{ TWO("rw=write\nrefill_buffers", "rw=write\nzero_buffers"), "diskspd -b4K -o1 -w100 -Zr -n a b",
	  "[b] zero_buffers: the -Zr of another job is for all targets of a time span" },
	{ BASE "create=always\nsize=1m\ncreate_fill=zero\n", "diskspd -c1M -b4K -o1 -Z /d/f", "" },
	{ BASE "create=always\nsize=1m\ncreate_fill=zero\nrw=write\nwrite_pool=1m\n",
	  "diskspd -c1M -b4K -o1 -w100 -Z1M /d/f",
	  "create_fill=zero: -c fills files with the bytes 0 to 255" },
	{ BASE "create=always\nsize=1m\ncreate_fill=pattern\nrw=write\nzero_buffers\n",
	  "diskspd -c1M -b4K -o1 -w100 -Z /d/f", "create_fill=pattern: with -Z, -c fills files with zeroes" },
	{ BASE "ioengine=libaio\ndirect=1\niodepth=32\niodepth_batch=16\nrw=randread\nrandom_generator=lfsr\n"
	       "norandommap\n",
	  "diskspd -b4K -o32 -r -Su /d/f",
	  "random_generator=lfsr: DISKSPD has its own generator|"
	  "iodepth_batch=16: DISKSPD submits batches only with -u" },
	{ BASE "[t]\nfilename=c\nrw=trim\n", "diskspd -b4K -o1 /d/f",
	  "[t] the whole job: DISKSPD cannot trim" },
};

static void check_lost(const char *job, const struct notes *lost, const char *want)
{
	struct strbuf b = { 0 };

	for (size_t i = 0; i < lost->count; i++)
		strbuf_printf(&b, "%s%s", i ? "|" : "", lost->line[i]);
	if (strcmp(strbuf_str(&b), want))
		fail_msg("%s\nnot translated: %s\nwanted: %s", job, strbuf_str(&b), want);
	strbuf_fini(&b);
}

static void test_jobs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct diag d = { 0 };
		struct notes lost = { 0 };
		char *line = line_of(jobs[i].job, &lost, &d);

		if (!line)
			fail_msg("%s\n%s", jobs[i].job, diag_text(&d));
		if (strcmp(line, jobs[i].line))
			fail_msg("%s\n%s\nwanted: %s", jobs[i].job, line, jobs[i].line);
		check_lost(jobs[i].job, &lost, jobs[i].lost);
		free(line);
		notes_fini(&lost);
	}
}

static const struct {
	const char *job, *error;
} refused[] = {
	{ "[x]\nioengine=cpuio\ncpuload=5\n",
	  "no job here has a counterpart in DISKSPD: the whole job: ioengine=cpuio has no counterpart" },
	{ "[x]\nfilename=f\nrw=trim\n", "DISKSPD cannot trim" },
	{ "[x]\nfilename=f\nsize=1m\nrw=write\nverify=md5\nverify_only\n",
	  "verify_only checks data that DISKSPD would write over" },
	{ "[x]\nfilename=f\nsize=1g\nioengine=null\n", "ioengine=null has no counterpart" },
	{ "[x]\nnrfiles=60000\nnumjobs=60000\nsize=1g\n",
	  "x.fio:1: [x] has more files than DISKSPD can have targets (65536)" },
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct diag d = { 0 };
		struct notes lost = { 0 };

		assert_null(line_of(refused[i].job, &lost, &d));
		if (!strstr(diag_text(&d), refused[i].error))
			fail_msg("%s: %s", refused[i].job, diag_text(&d));
		notes_fini(&lost);
		diag_fini(&d);
	}
}

/* Lines that become jobs that become the same line again, without a loss. */
static const char *const lines[] = {
	"diskspd test.dat",
	"diskspd -b4K -t2 -o32 -r -Sh testfile.dat",
	"diskspd -c5G -b4K -t2 -o32 -r -Sh -d120 -L -D IO.dat",
	"diskspd -c20G -b8K -t8 -o4 -r -w25 -Sh -Z1G -d30 -L x",
	"diskspd -t2 file1 file2 file3 file4 file5",
	"diskspd -rs20 -r32K -w30 x",
	"diskspd -r -rdpct90/10:0/10:5/20 x",
	"diskspd -c40G -r -rdabs90/10G:0/10G:5/20G x",
	"diskspd -t2 -si x",
	"diskspd -t4 -o8 -T1M x",
	"diskspd -t4 -o8 -p x",
	"diskspd -s128K -w40 x",
	"diskspd -B1M:1M x",
	"diskspd -c1G -f512M x",
	"diskspd -Srw x",
	"diskspd -o1 -Sm -Nv x",
	"diskspd -g100i x",
	"diskspd -g80 -w10 x",
	"diskspd -i10 -j5 x",
	"diskspd -I1 -fr -l x",
	"diskspd -I2 -fs x",
	"diskspd -F4 -O8 x y",
	"diskspd -F4 -o8 x y",
	"diskspd -a0,2,3 x",
	"diskspd -a0,0,1 x",
	"diskspd -n x",
	"diskspd -u x",
	"diskspd -o32 -u x",
	"diskspd -o8 -un3 x",
	"diskspd -o8 -oc4 x",
	"diskspd -d0 x",
	"diskspd -C3 -z7 -D500 x",
	"diskspd -w100 -z -Zr x",
	"diskspd -w100 -Z x",
	"diskspd -w100 -Z1M,pool.bin x",
};

static void normalize_target(struct ds_span *s, struct ds_target *t)
{
	if (s->threads && s->ntargets == 1) {
		t->threads = s->threads;
		t->depth = s->requests ? s->requests : t->depth;
		s->threads = s->requests = 0;
	}
	if (!strncmp(t->path, "/dev/", 5))
		t->create_size = 0;
	if (t->mapped)
		t->depth = 1;
	if (!t->write_percent && (t->pattern == DS_RANDOM || !t->create_size))
		t->pattern = DS_SEQUENTIAL;
	if (t->rate_iops && t->rate * t->block < 1000)
		t->rate = 0;
	if (t->rate)
		t->think_given = t->burst_given = false;
	t->interlocked &= s->threads + t->threads > 1;
	t->parallel &= t->depth > 1;
	t->hint_sequential &= !t->hint_random;
	t->hint_temporary = false;
	t->bypass = DS_BYPASS_NONE;
}

/* Removes settings that a job cannot have: those about the report or Windows, and those without effect. */
static void normalize(struct ds_profile *p)
{
	struct ds_span *s = p->spans;
	unsigned depth;

	p->format = DS_TEXT;
	p->progress_ios = p->experiment_flags = 0;
	p->verbose = p->verbose_stats = false;
	memset(p->event, 0, sizeof(p->event));
	s->latency = true; /* a job measures latencies by default */
	s->completion_routines = s->default_buffer_separation = false;
	s->random_data &= s->targets->write_percent && s->targets->pattern != DS_RANDOM;
	for (size_t i = 0; i < s->ntargets; i++)
		normalize_target(s, &s->targets[i]);
	if (s->ncpus == 1 && s->cpus->cpu == DS_CPU_ALL && !s->cpus->group)
		s->ncpus = 0; /* all processors of the only group */
	for (size_t i = 0; i < s->ncpus; i++)
		if (s->cpus[i].cpu != DS_CPU_ALL)
			s->cpus[i] = (struct ds_cpu){ s->cpus[i].group + s->cpus[i].cpu / 64,
						      s->cpus[i].cpu % 64 };
	if (s->no_affinity)
		s->traversal[0] = '\0';
	depth = s->targets->depth;
	if (s->completion_depth > depth)
		s->completion_depth = depth;
	if (s->io_ring_batch > depth)
		s->io_ring_batch = depth;
	if (depth * s->io_ring_percent / 100 <= 1 && depth < 8)
		s->io_ring_percent = 25;
}

static unsigned skipped; /* lines that no job can express: drives without a map, sizes out of range */

static void by_job(const char *text, struct ds_line *l)
{
	static struct cpuset cpus;
	struct ds_job_cfg cfg = { .cpus = &cpus };
	struct ds_map map = { 0 };
	struct ds_job job = { 0 };
	struct diag d = { 0 };
	struct notes lost = { 0 };
	struct strbuf before = { 0 };
	char *after = NULL;

	assert_int_equal(cpuset_parse("0-3", &cpus), 0);
	ds_map_add(&map, "#4=/dev/sdb", &d);
	if (!ds_map_profile(&map, &l->profile, NULL, &d) && !ds_to_job(&l->profile, &cfg, &job, &d))
		after = line_of(strbuf_str(&job.text), &lost, &d);
	normalize(&l->profile);
	ds_profile_line(&l->profile, 0, &before, NULL);
	if (after && strcmp(after, strbuf_str(&before)))
		fail_msg("%s\n%s\n%s\n%s", text, strbuf_str(&before), after, strbuf_str(&job.text));
	if (after && lost.count && !strstr(lost.line[0], "below one byte per ms"))
		fail_msg("%s\nnot translated: %s", text, lost.line[0]);
	skipped += !after;
	free(after);
	strbuf_fini(&before);
	notes_fini(&lost);
	diag_fini(&d);
	ds_job_fini(&job);
	ds_map_fini(&map);
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		with_line(by_job, DS_DIALECT_23, lines[i]);
	assert_int_equal(skipped, 0);
	assert_true(ds_each_line(by_job) > 10 * skipped);
}

/* The other options of the job, and the tested option with a value that is not its default. */
static const struct {
	const char *name, *beside, *value;
} tried[] = {
	{ "filename", "", "/d/g" },
	{ "directory", "filename=f", "/e" },
	{ "filename_format", "directory=/d\nnrfiles=2", "x.$filenum" },
	{ "nrfiles", "directory=/d", "3" },
	{ "openfiles", "directory=/d\nnrfiles=3", "1" },
	{ "file_service_type", "filename=a:b", "random" },
	{ "size", "", "3m" },
	{ "filesize", "", "3m" },
	{ "offset", "", "64k" },
	{ "offset_increment", "numjobs=2\nseq_wrap=target", "64k" },
	{ "allow_file_create", "", "0" },
	{ "fallocate", "rw=write", "keep" },
	{ "rw", "", "randread" },
	{ "bs", "", "8k" },
	{ "bsrange", "", "4k-8k" },
	{ "bssplit", "", "4k/50:8k/50" },
	{ "ba", "rw=randread", "8k" },
	{ "bs_unaligned", "bsrange=4k-8k", "1" },
	{ "bs_is_seq_rand", "bs=4k,16k\nrw=randread", "1" },
	{ "direct", "", "1" },
	{ "buffered", "", "0" },
	{ "sync", "", "dsync" },
	{ "rwmixread", "rw=rw", "70" },
	{ "rwmixwrite", "rw=rw", "70" },
	{ "norandommap", "rw=randread", "1" },
	{ "randseed", "", "5" },
	{ "randrepeat", "", "0" },
	{ "random_distribution", "rw=randread", "zoned:50/10:50/90" },
	{ "percentage_random", "rw=randread", "50" },
	{ "random_generator", "rw=randread", "lfsr" },
	{ "iodepth", "ioengine=libaio\ndirect=1", "8" },
	{ "io_submit_mode", "ioengine=libaio\ndirect=1\niodepth=4", "offload" },
	{ "iodepth_batch", "ioengine=libaio\ndirect=1\niodepth=32", "16" },
	{ "iodepth_batch_complete_max", "ioengine=libaio\ndirect=1\niodepth=8", "3" },
	{ "numjobs", "", "2" },
	{ "stonewall", "[y]\nfilename=b", "1" },
	{ "ioengine", "", "mmap" },
	{ "runtime", "", "20" },
	{ "time_based", "time_based=0", "1" },
	{ "ramp_time", "", "7" },
	{ "rate", "", "1m" },
	{ "rate_iops", "", "100" },
	{ "thinktime", "", "5ms" },
	{ "thinktime_blocks", "thinktime=5ms", "8" },
	{ "thinktime_blocks_type", "ioengine=libaio\niodepth=4\ndirect=1\nthinktime=5ms", "issue" },
	{ "invalidate", "invalidate=0", "1" },
	{ "fadvise_hint", "", "random" },
	{ "mem", "", "mmaphuge" },
	{ "zero_buffers", "rw=write", "1" },
	{ "refill_buffers", "rw=write", "1" },
	{ "scramble_buffers", "rw=write", "0" },
	{ "buffer_pattern", "rw=write", "0x00" },
	{ "prio", "prioclass=2", "7" },
	{ "prioclass", "", "3" },
	{ "cpus_allowed", "", "1" },
	{ "cpumask", "", "4" },
	{ "cpus_allowed_policy", "cpus_allowed=1,2", "split" },
	{ "iopsavgtime", "", "200" },
	{ "fixedbufs", "ioengine=io_uring", "1" },
	{ "offset_shared", "numjobs=2", "1" },
	{ "file_weights", "filename=a:b\nfile_service_type=random", "3:1" },
	{ "iodepth_per_file", "filename=a:b\nioengine=libaio\ndirect=1", "1" },
	{ "seq_per_slot", "ioengine=libaio\ndirect=1\niodepth=4", "1" },
	{ "seq_wrap", "offset_increment=1m\nnumjobs=2", "target" },
	{ "rwmix_shared_pos", "rw=rw", "1" },
	{ "seq_runs", "rw=randrw\npercentage_random=50", "homogeneous" },
	{ "rate_total", "rw=rw\nrate=1m", "1" },
	{ "cooldown", "", "3" },
	{ "ramp_only", "runtime=0", "1" },
	{ "write_pool", "rw=write", "2m" },
	{ "write_pool_file", "rw=write\nwrite_pool=1m", "p" },
	{ "create", "", "always" },
	{ "create_fill", "", "zero" },
	{ "create_size", "", "8m" },
	{ "cpu_list", "", "1,0" },
	{ "cpu_order", "", "c" },
	{ "remote_only", "direct=1", "1" },
	{ "mmap_flush", "rw=write\nioengine=mmap", "view" },
	{ "thread_group", "thread\nfilename=a\n[y]\nthread\nfilename=b", "g" },
	{ "thread_group_depth", "thread\nthread_group=g", "4" },
	{ "thread_group_weight", "thread\nthread_group=g\nthread_group_depth=4", "3" },
};

/* The whole output of --from-job. */
static char *from_job_output(const char *text)
{
	struct cpuset cpus = { 0 };
	struct job_set set = { 0 };
	struct ds_profile p;
	struct notes lost = { 0 };
	struct strbuf b = { 0 };
	struct diag d = { 0 };

	if (read_job(&set, text, &d) || fromjob_profile(&p, &set, &cpus, &lost, &d))
		fail_msg("%s\n%s", text, diag_text(&d));
	ds_xmlwrite(&p, 0, &b);
	for (size_t i = 0; i < p.nspans; i++)
		ds_profile_line(&p, i, &b, NULL);
	for (size_t i = 0; i < lost.count; i++)
		strbuf_printf(&b, "\n%s", lost.line[i]);
	notes_fini(&lost);
	ds_profile_fini(&p);
	job_set_fini(&set);
	return b.text;
}

static const char *tried_with(const char *name)
{
	for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++)
		if (!strcmp(tried[i].name, name))
			return tried[i].value;
	return NULL;
}

/* An option that counts as carried is in the profile or the line. */
static void test_carried(void **state)
{
	(void)state;
	for (size_t i = 0; fromjob_translated[i]; i++)
		if (!tried_with(fromjob_translated[i]))
			fail_msg("%s is tried nowhere", fromjob_translated[i]);
	for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++) {
		struct strbuf without = { 0 }, with = { 0 };
		char *a, *b;

		strbuf_printf(&without, ONE "size=1m\nallow_file_create=1\n[a]\n%s%s\n",
			      strstr(tried[i].beside, "directory=") || strstr(tried[i].beside, "filename=")
				      ? ""
				      : "filename=/d/f\n",
			      tried[i].beside);
		strbuf_printf(&with, "%s%s=%s\n", strbuf_str(&without), tried[i].name, tried[i].value);
		a = from_job_output(strbuf_str(&without));
		b = from_job_output(strbuf_str(&with));
		if (!strcmp(a, b))
			fail_msg("%s\nis the same as without its last line:\n%s", strbuf_str(&with), a);
		free(a);
		free(b);
		strbuf_fini(&without);
		strbuf_fini(&with);
	}
}

int unit_fromjob(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_carried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
