/* Which combinations of options are refused, noted, or change one another? */
#include "test_jobs.h"

/* clang-format off */
static const struct test_file files[] = {
	{ "pieces.fio", "[a]\niodepth=8\nioengine=libaio\n[b]\nnumjobs=3\n[c]\nnumjobs=4\n" },
	{ "both.fio", "[a]\ndirect=1\nbuffered=1\n" },
	{ "depth.fio", "[a]\niodepth=32\n" },
	{ "places.fio", "[a]\nrw=write\nfdp=1\nioengine=commands\nplids=0-2,1\n" },
	{ NULL, NULL },
};

/* Refused jobs, and words of the error. */
static const struct {
	const char *args, *error;
} refused[] = {
	{ "--readonly --name=x --rw=trim", "--rw=trim: the job trims, and --readonly was given" },
	{ "--readonly --name=x --rw=randtrimwrite", "--rw=randtrimwrite: the job trims, and --readonly was given" },
	{ "--readonly --name=x --rw=randrw", "--rw=randrw: the job writes, and --readonly was given" },
	{ "--readonly --name=x --unlink=1", "--unlink=1: removes files, and --readonly was given" },
	{ "--readonly --name=x --mem=mmapshared:f",
	  "--mem=mmapshared:f: the buffers overwrite the file, and --readonly was given" },
	{ "--name=x --ioengine=commands --bs=5000", "--bs=5000: 5000 bytes: commands need multiples of the device's block size (512 or more)" },
	{ "--name=x --ioengine=commands --bs_unaligned", "--bs_unaligned: commands need multiples of the device's block size" },
	{ "--name=x --ioengine=commands --rw=write --sync=dsync",
	  "--sync=dsync: commands of ioengine=commands have nothing like it; use writefua=1" },
	{ "--name=x --ioengine=commands --rw=write --write_hint=short",
	  "--write_hint=short: commands of ioengine=commands have nothing like it" },
	{ "--name=x --rw=write --fdp=1", "--fdp=1: ioengine=psync sends no NVMe commands; ioengine=io_uring_cmd does" },
	{ "--name=x --rw=write --dataplacement=fdp --ioengine=streams", "--dataplacement=fdp: ioengine=streams sends no NVMe commands; ioengine=io_uring_cmd does, and ioengine=io_uring takes dataplacement=streams" },
	{ "--name=x --rw=write --dataplacement=streams", "--dataplacement=streams: ioengine=psync has no write streams; ioengine=io_uring does" },
	{ "--name=x --rw=write --dataplacement=streams --ioengine=commands", "--dataplacement=streams: does not go with ioengine=commands, because fiord does not send the directive Streams of NVMe; ioengine=io_uring uses the write streams of Linux" },
	{ "--name=x --rw=write --dataplacement=streams --ioengine=streams", "--dataplacement=streams: needs direct=1, because the page cache forgets write streams" },
	{ "--name=x --rw=write --fdp=1 --dataplacement=streams", "--fdp=1: contradicts dataplacement=streams" },
	{ "--name=x --rw=write --fdp=1 --ioengine=commands --plids=1-", "--plids=1-: not a list of numbers and ranges of 0 to 65535, such as 0,2-4" },
	{ "places.fio", "places.fio:5: plids=0-2,1: the number 1 is there twice; give each number once" },
	{ "--name=x --rw=write --fdp=1 --ioengine=commands --plid_select=scheme --dp_scheme=/proc/self/cmdline", "--dp_scheme=/proc/self/cmdline: this is not text" },
	{ "--name=x --rw=write --fdp=1 --ioengine=commands --plid_select=scheme", "--plid_select=scheme: needs dp_scheme, a file with lines of START, END, PLID" },
	{ "--name=x --rw=write --fdp=1 --ioengine=commands --plid_select=scheme --dp_scheme=/nowhere/f", "--dp_scheme=/nowhere/f: No such file or directory (ENOENT)" },
	{ "--name=x --rw=write --fdp=1 --ioengine=commands --plid_select=turns", "--plid_select=turns: not a choice; write roundrobin, random or scheme" },
	{ "--name=x --direct=1 --bs=5000", "--bs=5000: 5000 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --rw=rw --bs=4k,100", "--bs=4k,100: 100 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --bsrange=512-1000", "--bsrange=512-1000: 1000 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --bssplit=4k/50:1000/20:8k/30", "--bssplit=4k/50:1000/20:8k/30: 1000 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --offset=100", "--offset=100: 100 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --offset_increment=700", "--offset_increment=700: 700 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --offset=10% --offset_align=1000", "--offset_align=1000: 1000 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --rw=randread:4 --bs_is_seq_rand=1 --bs=4k,1000", "--bs=4k,1000: 1000 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --rw=randtrim --num_range=4", "--num_range=4: Linux discards one range in a call; several take an NVMe command, which ioengine=io_uring_cmd sends; use num_range=1" },
	{ "--name=x --rw=trimwrite --ioengine=null --num_range=256", "--num_range=256: Linux discards one range in a call; several take an NVMe command, which ioengine=io_uring_cmd sends; use num_range=1" },
	{ "--name=x --direct=1 --ba=100 --rw=randread", "--ba=100: 100 bytes: direct=1 needs multiples of the device's block size (512 or more)" },
	{ "--name=x --direct=1 --bs_unaligned", "--bs_unaligned: direct=1 needs multiples of the device's block size" },
	{ "--name=x --ramp_size=1m --ramp_time=1", "--ramp_size=1m: contradicts ramp_time, which is a ramp, too; use one of them" },
	{ "--name=x --offset=100%", "--offset=100%: leaves nothing of the file or device; use less than 100%" },
	{ "--name=x --cgroup=a/../b", "--cgroup=a/../b: not the name of a group, such as mine or system.slice/mine" },
	{ "--name=x --cgroup=a//b", "--cgroup=a//b: not the name of a group, such as mine or system.slice/mine" },
	{ "--name=x --cgroup=/", "--cgroup=/: not the name of a group, such as mine or system.slice/mine" },
	{ "--name=x --cgroup=a --thread",
	  "--cgroup=a: needs processes: with thread=1 the workers are threads of one process, which is in one group" },
	{ "--name=x --thread --gid=0",
	  "--gid=0: needs processes: with thread=1 the workers are threads of one process, which has one user" },
	{ "--name=x --iomem_align=1000", "--iomem_align=1000: not a power of two" },
	{ "--name=x --rate=1m --rate_iops=10", "--rate_iops=10: rate limits the reads, too; use one of them" },
	{ "--name=x --rw=write --rate=1m --rate_iops=10", "--rate_iops=10: rate limits the writes, too; use one of them" },
	{ "--name=x --numjobs=60000 --name=y --numjobs=6000", "--numjobs=6000: makes 66000 jobs; at most 65536 are allowed" },
};

/* Accepted jobs, with a note, or without any (NULL). */
static const struct {
	const char *args, *note;
} accepted[] = {
	{ "--name=x --cgroup_weight=100", "--cgroup_weight=100: has no effect without cgroup" },
	{ "--name=x --cgroup_nodelete=1", "--cgroup_nodelete=1: has no effect without cgroup" },
	{ "--name=x --cgroup=.a/b --cgroup_nodelete=1 --uid=0", NULL },
	{ "both.fio", "both.fio:3: buffered=1: contradicts direct=1; as in fio the last of them counts, and I/O uses the page cache" },
	{ "--name=x --direct=0 --buffered=0", "--buffered=0: contradicts direct=0; as in fio the last of them counts, and I/O bypasses the page cache" },
	{ "--name=x --buffered=1 --direct=1", "--buffered=1: contradicts direct=1; as in fio the last of them counts, and I/O bypasses the page cache" },
	{ "--name=x --buffered=0 --direct=1", NULL },
	{ "--name=x --size=200%", "size=200% is 100%, as in fio: there is no more than all" },
	{ "--name=x --hugepage-size=2m", "--hugepage-size=2m: has no effect without mem=shmhuge or mem=mmaphuge" },
	{ "--name=x --hugepage-size=2m --mem=shmhuge", NULL },
	{ "--name=x --cpus_allowed_policy=split", "--cpus_allowed_policy=split: has no effect without cpus_allowed" },
	{ "--name=x --cpus_allowed_policy=split --cpumask=1", NULL },
	{ "--name=x --rw=rw", NULL },
	{ "--name=x --rw=trimwrite", NULL },
	{ "--name=x --rw=trim --ioengine=libaio --iodepth=4",
	  "--rw=trim: trims run one at a time: libaio has no asynchronous call for them, so the depth is 1, not 4" },
	{ "--name=x --rw=trimwrite --ioengine=libaio --iodepth=4",
	  "--rw=trimwrite: trims run one at a time at any iodepth: libaio has no asynchronous call for them" },
	{ "--name=x --rw=trim --ioengine=libaio", NULL },
	{ "--name=x --rw=write --bsrange=4k-64k --rate_iops=9",
	  "--rate_iops=9: counts I/Os of any size; fio takes it as the bandwidth of so many of the smallest blocks" },
	{ "--name=x --rw=write --bs=64k,4k --rate_iops=9", NULL },
	/* fio 3.33 with --rate_process=poisson --bsrange=4k-64k: 467 IOPS for --rate_iops=500, 24 MB/s for --rate=4m. */
	{ "--name=x --rw=write --bsrange=4k-64k --rate_iops=9 --rate_process=poisson", NULL },
	{ "--name=x --rw=write --bsrange=4k-64k --rate=4m --rate_process=poisson",
	  "--rate=4m: counts the bytes of each I/O; with rate_process=poisson fio counts each I/O as one of the smallest blocks, and exceeds the rate" },
	{ "--name=x --rw=write --bsrange=4k-64k --rate=4m", NULL },
	{ "--readonly --name=x --rw=randread", NULL },
	{ "--readonly --name=x --unlink=1 --ioengine=null --size=1m", NULL },
	{ "--readonly --name=x --mem=mmap:f", NULL },
	{ "--name=x --direct=1 --buffered=0", NULL },
	{ "--direct=1 --name=x --buffered=1", NULL },
	{ "--name=x --direct=1 --bs=512 --offset=1k --ba=1k --rw=randread", NULL },
	{ "--name=x --direct=1 --bs=4k,100", NULL }, /* the job only reads */
	{ "--name=x --direct=1 --bs=100 --ioengine=null", NULL },
	{ "--name=x --direct=0 --bs=100 --offset=7", NULL },
	{ "--name=x --size=100% --offset=99%", NULL },
	{ "--name=x --rate=1m --rate_iops=,10", NULL },
	{ "pieces.fio", NULL },
	{ "--name=x --rw=read --fdp=1", "--fdp=1: has no effect, because the job does not write" },
	{ "--name=x --rw=write --plids=1", "--plids=1: has no effect without dataplacement" },
	{ "--name=x --rw=write --fdp=1 --ioengine=commands --dp_scheme=f", "--dp_scheme=f: has no effect without plid_select=scheme" },
	{ "--name=x --rw=write --dataplacement=streams --ioengine=streams --direct=1 --plids=1,4", NULL },
	{ "--name=x --rw=randtrim --num_range=1", NULL },
	{ "--name=x --rw=randwrite --num_range=4", "--num_range=4: has no effect: the job does not trim" },
	{ "--name=x --offset=1m --offset_align=64k", "--offset_align=64k: has no effect: neither offset nor offset_increment is a percentage" },
	{ "--name=x --direct=1 --offset=1m --offset_align=1000", "--offset_align=1000: has no effect: neither offset nor offset_increment is a percentage" },
	{ "--name=x --offset=10% --offset_align=64k", NULL },
	{ "--name=x --ioengine=commands --rw=write --sync=0 --end_syncfs=0", NULL },
	{ "--name=x --bs=8k --bs_is_seq_rand=1", "--bs_is_seq_rand=1: has no effect: bs has one size; bs=4k,64k is for sequential and random I/O" },
	{ "--name=x --bs=8k,4k --bs_is_seq_rand=1", NULL },
	{ "--name=x --direct=1 --rw=read --bs_is_seq_rand=1 --bs=4k,1000", NULL },
	{ "--name=x --bs=8k --bsrange=1k-4k", "--bs=8k: has no effect in the directions that bsrange sets" },
	{ "--bs=8k --name=x --bsrange=1k-4k", NULL },
	{ "--name=x --bsrange=1k-4k --bssplit=1k/", "--bsrange=1k-4k: has no effect in the directions that bssplit sets" },
	{ "--max-jobs=1 --name=x --numjobs=3", "max-jobs: has no meaning here, as in fio: memory is sized from the jobs" },
	{ "depth.fio", "depth.fio:2: iodepth=32: the engine psync does one I/O at a time: the depth is 1, not 32" },
	{ "--name=x --ioengine=libaio --iodepth=4 --iodepth_batch=9", "--iodepth_batch=9: is reduced to 4, the iodepth" },
	{ "--name=x --ioengine=libaio --iodepth=4 --iodepth_low=9", "--iodepth_low=9: is reduced to 4, the iodepth" },
	{ "--name=x --ioengine=libaio --iodepth=4 --iodepth_batch_complete_min=9", "--iodepth_batch_complete_min=9: is reduced to 4, the iodepth" },
	{ "--name=x --ioengine=libaio --iodepth=8 --iodepth_batch_complete_min=4 --iodepth_batch_complete_max=2",
	  "--iodepth_batch_complete_max=2: is raised to 4, the value of iodepth_batch_complete_min" },
	{ "--name=x --nrfiles=3 --openfiles=9", "--openfiles=9: the job has 3 files, and all of them are open at once" },
	{ "--name=x --nrfiles=9 --openfiles=3", NULL },
	{ "--name=x --rw=randwrite --nrfiles=9 --openfiles=3 --file_service_type=random --fsync_on_close=1",
	  "--fsync_on_close=1: syncs a file each time that it is closed for another one (openfiles), between two I/Os" },
	{ "--name=x --rw=randwrite --nrfiles=9 --openfiles=3 --fsync_on_close=1", NULL },
	{ "--name=x --rw=randread --nrfiles=9 --openfiles=3 --file_service_type=random --fsync_on_close=1", NULL },
	{ "--name=x --time_based", "--time_based: has no effect without runtime" },
	{ "--name=x --time_based --runtime=1", NULL },
	{ "--name=x --time_based --runtime=1 --number_ios=3", "--number_ios=3: has no effect with time_based, as in fio" },
	{ "--filename=a:b --name=x --filename=c", "--filename=c: adds to filename=a:b of the options above it; the job works on all of these files, as in fio" },
	{ "--name=x --filename=c --filename=d", NULL },
	{ "--filename=a --name=x --set filename=c", NULL },
	{ "--name=x --allow_mounted_write=1", "--allow_mounted_write=1: permits nothing by itself; allow_write=DEVICE must name the device" },
	{ "--name=x --allow_mounted_write=1 --allow_write=/dev/x", NULL },
	{ "--name=x --rw=rw --rwmixread=30 --rwmixwrite=60", "--rwmixread=30: rwmixwrite=60 overrides it, because it comes later" },
	{ "--name=x --rw=rw --rwmixwrite=60 --rwmixread=30", "--rwmixwrite=60: rwmixread=30 overrides it, because it comes later" },
	{ "--name=x --rw=rw --rwmixwrite=70 --rwmixread=30", NULL },
	{ "--name=x --fsync=3", "--fsync=3: has no effect: the job does not write" },
	{ "--name=x --end_fsync=1 --rw=write", NULL },
	{ "--name=x --rw=write --serialize_overlap=1", "--serialize_overlap=1: has no effect: with iodepth=1 one I/O is in flight" },
	{ "--name=x --ioengine=libaio --iodepth=4 --serialize_overlap=1", "--serialize_overlap=1: has no effect: reads may overlap" },
	{ "--name=x --rw=randrw --ioengine=libaio --iodepth=4 --serialize_overlap=1", NULL },
	{ "--fsync=3 --name=x", NULL }, /* the option may be for other jobs */
};

/* Refused jobs with verification. The bytes of headers and digests are those of verify_block.h. */
static const struct {
	const char *args, *error;
} verify_refused[] = {
	{ "--verify_only --rw=write", "--verify_only: needs verify, the kind with which the data were written, such as verify=crc32c" },
	{ "--verify=pattern --rw=write",
	  "--verify=pattern: needs verify_pattern, the bytes of the blocks, such as verify_pattern=0xdeadbeef" },
	{ "--verify=pattern_hdr --rw=write",
	  "--verify=pattern_hdr: needs verify_pattern, the bytes of the blocks, such as verify_pattern=0xdeadbeef" },
	{ "--verify=md5 --rw=write --ioengine=filecreate", "--verify=md5: the engine filecreate moves no data that could be verified" },
	{ "--verify=md5 --verify_only --rw=write --ioengine=null",
	  "--verify_only: the engine null moves no data that could be verified" },
	{ "--verify=md5 --verify_only --rw=trim", "--verify_only: the job only trims, so there is nothing to verify" },
	{ "--verify=md5 --rw=write --write_pool=64k",
	  "--verify=md5: does not go with write_pool: a slice of the pool is written as it is, without a header or a seed by which "
	  "it could be checked" },
	{ "--verify=md5 --rw=write --thread --thread_group=g",
	  "--verify=md5: does not go with thread_group: its threads write the same files in an order that depends on time, so the "
	  "last write of a block is not known" },
	{ "--verify=md5 --rw=read --create=always", "--create=always: create=always would replace the data that verify=md5 checks" },
	{ "--verify=md5 --verify_only --rw=write --create=always",
	  "--create=always: create=always would replace the data that verify=md5 checks" },
	{ "--verify=md5 --verify_only --rw=write --file_append=1",
	  "--verify_only: does not go with file_append: where the earlier run began to write is not known; use offset" },
	{ "--verify=md5 --verify_only --rw=write --fill_device=1",
	  "--verify_only: does not go with fill_device: how much the earlier run wrote is not known; use size" },
	{ "--verify=md5 --verify_only --rw=write --unlink_each_loop=1 --loops=2",
	  "--unlink_each_loop=1: removes data that verify has not checked yet; unlink=1 removes the files at the end" },
	{ "--verify=md5 --rw=write --unlink_each_loop=1 --loops=2",
	  "--unlink_each_loop=1: removes data that verify has not checked yet; unlink=1 removes the files at the end" },
	{ "--verify=md5 --rw=randtrimwrite --verify_state_sync=/dev/shm/state",
	  "--verify_state_sync=/dev/shm/state: does not go with trims: a power loss between a trim and the next write of the same "
	  "blocks would look like lost data" },
	{ "--verify=md5 --rw=write --readonly", "--rw=write: the job writes, and --readonly was given" },
	{ "--verify=crc32c --rw=write --bs_unaligned --bsrange=4k-1g --verify_interval=512",
	  "--verify_interval=512: must divide the blocks: 4097 bytes are no whole number of intervals" },
	{ "--verify=sha512 --rw=write --verify_interval=64",
	  "--verify_interval=64: too small: header and digest of verify=sha512 take 176 bytes; the nearest that fits is 256" },
	{ "--verify=crc32c --rw=write --verify_interval=512 --verify_offset=461",
	  "--verify_offset=461: must be 0, or 52 to 460: in 512 bytes header and digest of verify=crc32c take 52" },
	{ "--verify=crc32c --rw=write --verify_offset=51",
	  "--verify_offset=51: must be 0, or 52 to 4044: in 4096 bytes header and digest of verify=crc32c take 52" },
	{ "--verify=crc32c --rw=write --bs=64 --verify_offset=1",
	  "--verify_offset=1: must be 0: in 64 bytes header and digest of verify=crc32c (52 bytes) have no other place" },
	{ "--verify=sha512 --rw=write --bs=128",
	  "--verify=sha512: header and digest take 176 bytes, but a block can have 128; use larger blocks, or verify=crc32c" },
	{ "--verify=crc32c --rw=randwrite --bs_unaligned --bsrange=4k-8k",
	  "--verify=crc32c: header and digest take 52 bytes, but a block can have 1; use larger blocks, or verify=crc32c" },
};

/* Accepted ones, with a note, or without any (NULL). */
static const struct {
	const char *args, *note;
} verify_accepted[] = {
	{ "--verify=crc32c --rw=write --verify_interval=1k --verify_offset=100", NULL },
	{ "--verify=crc32c --rw=write --verify_interval=8k", NULL }, /* the whole block */
	{ "--verify=crc32c --rw=write --bs=6k,4k --verify_interval=4k", NULL }, /* only the writes count */
	{ "--verify=crc32c --rw=write --verify_interval=3000",
	  "--verify_interval=3000: does not divide blocks of 4096 bytes; as in fio it becomes 4096, which divides all of them" },
	{ "--verify=pattern --verify_pattern=1 --rw=write --verify_interval=3000",
	  "--verify_interval=3000: does not divide blocks of 4096 bytes; as in fio it becomes 4096, which divides all of them" },
	{ "--verify=crc32c --rw=write --bssplit=4k/50:6k/50 --verify_interval=4k",
	  "--verify_interval=4k: does not divide blocks of 6144 bytes; as in fio it becomes 2048, which divides all of them" },
	{ "--verify=crc32c --rw=randwrite --bsrange=4k-10k --verify_interval=4k", /* 4k of 10k leaves 6k */
	  "--verify_interval=4k: does not divide blocks of 6144 bytes; as in fio it becomes 2048, which divides all of them" },
	{ "--verify=crc32c --rw=randrw --bs=6k,4k --verify_interval=4k", /* a pass gives the rests to both directions */
	  "--verify_interval=4k: does not divide blocks of 6144 bytes; as in fio it becomes 2048, which divides all of them" },
	{ "--verify=crc32c --rw=trimwrite --bs=4k,4k,6k --verify_interval=4k", /* writes what was trimmed */
	  "--verify_interval=4k: does not divide blocks of 6144 bytes; as in fio it becomes 6144, which divides all of them" },
	{ "--verify=crc32c --rw=randwrite --bssplit=4k/50:64k/50 --verify_interval=16k", NULL },
	{ "--verify=crc32c --rw=write --bs_unaligned --bsrange=4k-8k", NULL },
	{ "--verify_pattern=0xab --rw=write", NULL },
	{ "--verify_pattern=0xab --verify=0 --rw=write", "--verify_pattern=0xab: has no effect without verify" },
	{ "--verify_fatal=1 --rw=write", "--verify_fatal=1: has no effect without verify" },
	{ "--verify_interval=1 --rw=write", "--verify_interval=1: has no effect without verify" },
	{ "--verify=crc32c --rw=trim", "--verify=crc32c: has no effect: the job only trims" },
	{ "--verify=crc32c --rw=write --ioengine=null",
	  "--verify=crc32c: ioengine=null keeps no data: blocks are made, and none is checked" },
	{ "--verify=crc32c --rw=read --ioengine=null", "--verify=crc32c: has no effect: ioengine=null has no data to check" },
	{ "--verify=null --rw=write", "--verify=null: nothing is read back or checked; this kind shows what the checks of another one cost" },
	{ "--verify=null --rw=write --verify_offset=1", "--verify_offset=1: has no effect: blocks of verify=null have no headers" },
	{ "--verify=md5 --rw=write --buffer_pattern=1",
	  "--buffer_pattern=1: has no effect on what is written: verify fills the blocks" },
	{ "--verify=md5 --rw=write --dedupe_percentage=50",
	  "--dedupe_percentage=50: has no effect on what is written: verify fills the blocks" },
	{ "--verify=md5 --rw=write --buffer_compress_percentage=50", NULL },
	{ "--verify=md5 --verify_only --rw=write --zero_buffers", NULL }, /* it writes nothing */
	{ "--verify=md5 --rw=write --verify_pattern_interval=512", "--verify_pattern_interval=512: has no effect without verify_pattern" },
	{ "--verify=md5 --rw=read --do_verify=0", "--do_verify=0: has no effect: a job that does not write checks what it reads" },
	{ "--verify=md5 --rw=write --loops=2 --unlink_each_loop=1 --do_verify=0", NULL },
	{ "--verify=md5 --verify_only --rw=write --runtime=1 --time_based", NULL },
	{ "--verify=md5 --rw=read --readonly", NULL },
	{ "--verify=md5 --rw=randwrite --verify_only --readonly", NULL },
	{ "--verify=md5 --rw=trimwrite --verify_only --verify_state_load=1 --verify_state_sync=/dev/shm/state", NULL },
};

/* The directions in which a job uses its files. */
static const struct {
	const char *args;
	unsigned access;
	bool earlier; /* it checks data of an earlier run */
} access_of[] = {
	{ "--rw=write", RW_WRITE, false },
	{ "--rw=write --verify=md5", RW_WRITE | RW_READ, false },
	{ "--rw=write --verify_pattern=1", RW_WRITE | RW_READ, false },
	{ "--rw=write --verify=md5 --do_verify=0", RW_WRITE, false },
	{ "--rw=write --verify=md5 --verify_only", RW_READ, true },
	{ "--rw=trimwrite --verify=md5", RW_TRIM | RW_WRITE | RW_READ, false },
	{ "--rw=trimwrite --verify=md5 --verify_only", RW_READ, true },
	{ "--rw=randread", RW_READ, false },
	{ "--rw=randread --verify=md5", RW_READ, true },
	{ "--rw=randread --verify=md5 --verify_only", RW_READ, true },
	{ "--rw=randrw --verify=md5", RW_READ | RW_WRITE, false },
	{ "--rw=trim --verify=md5", RW_TRIM, false },
	{ "--ioengine=filecreate", RW_READ, false },
};

/* Block sizes of reads and writes. */
static const struct {
	const char *args;
	uint64_t lo[2], hi[2];
	unsigned splits[2];
} sizes[] = {
	{ "", { 4096, 4096 }, { 4096, 4096 }, { 0, 0 } },
	{ "--bs=8k", { 8192, 8192 }, { 8192, 8192 }, { 0, 0 } },
	{ "--bs=8k,1k", { 8192, 1024 }, { 8192, 1024 }, { 0, 0 } },
	{ "--bs=,8k", { 4096, 8192 }, { 4096, 8192 }, { 0, 0 } },
	{ "--bsrange=1k-4k --bs=16k", { 1024, 1024 }, { 4096, 4096 }, { 0, 0 } },
	{ "--bs=16k --bsrange=,4k-8k", { 16384, 4096 }, { 16384, 8192 }, { 0, 0 } },
	{ "--bssplit=8k/50:2k/20:4k/30 --bs=16k", { 2048, 2048 }, { 8192, 8192 }, { 3, 3 } },
	{ "--bssplit=,8k/50:2k/50 --bs=16k", { 16384, 2048 }, { 16384, 8192 }, { 0, 2 } },
};
/* clang-format on */

static void test_refused(void **state)
{
	(void)state;
	test_files = files;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct parsed p;

		parse_args(&p, refused[i].args);
		assert_string_equal(diag_text(&p.d), refused[i].error);
		assert_true(p.err < 0);
		free_parsed(&p);
	}
}

static void test_accepted(void **state)
{
	(void)state;
	test_files = files;
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		struct parsed p;

		parse_args(&p, accepted[i].args);
		assert_string_equal(diag_text(&p.d), "no error");
		if (accepted[i].note && !has_note(&p, accepted[i].note))
			fail_msg("%s: no note '%s'", accepted[i].args, accepted[i].note);
		if (!accepted[i].note && p.set.notes.count)
			fail_msg("%s: note '%s'", accepted[i].args, p.set.notes.line[0]);
		free_parsed(&p);
	}
}

static void test_verify(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verify_refused) / sizeof(verify_refused[0]); i++) {
		struct parsed p;
		char args[200];

		snprintf(args, sizeof(args), "--name=x --size=1m %s", verify_refused[i].args);
		parse_args(&p, args);
		assert_string_equal(diag_text(&p.d), verify_refused[i].error);
		free_parsed(&p);
	}
	for (size_t i = 0; i < sizeof(verify_accepted) / sizeof(verify_accepted[0]); i++) {
		struct parsed p;
		char args[200];

		snprintf(args, sizeof(args), "--name=x --size=1m %s", verify_accepted[i].args);
		parse_args(&p, args);
		assert_string_equal(diag_text(&p.d), "no error");
		if (verify_accepted[i].note && !has_note(&p, verify_accepted[i].note))
			fail_msg("%s: no note '%s'", args, verify_accepted[i].note);
		if (!verify_accepted[i].note && p.set.notes.count)
			fail_msg("%s: note '%s'", args, p.set.notes.line[0]);
		free_parsed(&p);
	}
}

static void test_access(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(access_of) / sizeof(access_of[0]); i++) {
		struct parsed p;
		char args[200];

		snprintf(args, sizeof(args), "--name=x --size=1m %s", access_of[i].args);
		parse_args(&p, args);
		assert_int_equal(p.err, 0);
		assert_int_equal(job_access(&p.set.jobs[0]), access_of[i].access);
		assert_int_equal(job_checks_earlier(&p.set.jobs[0]), access_of[i].earlier);
		free_parsed(&p);
	}
}

/* An option of a global section is for the jobs that move data. */
static void test_verify_inherited(void **state)
{
	struct parsed p;

	(void)state;
	parse_args(&p, "--verify=md5 --size=1m --rw=write --name=x --name=y --ioengine=filecreate");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.set.jobs[0].opts.verify.format.kind, VERIFY_MD5);
	assert_int_equal(p.set.jobs[1].opts.verify.format.kind, VERIFY_NONE);
	free_parsed(&p);
}

static void test_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct bsize_cfg *b;
		struct parsed p;
		char args[200];

		snprintf(args, sizeof(args), "--name=x --rw=rw %s", sizes[i].args);
		parse_args(&p, args);
		assert_int_equal(p.err, 0);
		b = &p.set.jobs[0].opts.offset.bsize;
		for (unsigned dir = 0; dir < 2; dir++) {
			assert_int_equal(b->lo[dir], sizes[i].lo[dir]);
			assert_int_equal(b->hi[dir], sizes[i].hi[dir]);
			assert_int_equal(b->split_n[dir], sizes[i].splits[dir]);
		}
		free_parsed(&p);
	}
}

static void test_clamped(void **state)
{
	const struct queue_cfg *q;
	struct parsed p;

	(void)state;
	test_files = files;
	parse_args(&p, "depth.fio --iodepth_batch=8 --iodepth_low=4");
	q = &p.set.jobs[0].opts.queue;
	assert_int_equal(q->iodepth, 1);
	assert_int_equal(q->batch, 1);
	assert_int_equal(q->low, 1);
	free_parsed(&p);

	parse_args(&p, "--name=x --ioengine=libaio --iodepth=8 --iodepth_batch_complete_min=4 "
		       "--iodepth_batch_complete_max=2 --time_based --nrfiles=2 --openfiles=3");
	q = &p.set.jobs[0].opts.queue;
	assert_int_equal(q->complete_max, 4);
	assert_false(p.set.jobs[0].opts.time.time_based);
	assert_int_equal(p.set.jobs[0].opts.files.openfiles, 2);
	free_parsed(&p);

	parse_args(&p, "--direct=1 --name=x --buffered=1 --name=y");
	assert_false(p.set.jobs[0].opts.file.direct);
	assert_true(p.set.jobs[1].opts.file.direct);
	free_parsed(&p);
}

int unit_resolve(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_verify_inherited),
		cmocka_unit_test(test_access),
		cmocka_unit_test(test_clamped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
