#include <stdlib.h>
#include "xmlset.h"

static const char *const formats[] = { "text", "xml", NULL };
static const char *const precreates[] = { "", "UseMaxSize", "CreateOnlyFilesWithConstantSizes",
					  "CreateOnlyFilesWithConstantOrZeroSizes", NULL };
static const char *const flushes[] = { "", "ViewOfFile", "NonVolatileMemory", "NonVolatileMemoryNoDrain",
				       NULL };
static const char *const bypasses[] = { "", "Partial", "Full", NULL };
static const char *const patterns[] = { "sequential", "zero", "random", NULL };
static const char *const separations[] = { "PDECacheLine", "SystemDefault", NULL };

/* clang-format off */
#define NODE(name_, parent_, node_) .name = (name_), .parent = NODE_##parent_, .node = NODE_##node_
#define LEAF(name_, parent_, set_)  .name = (name_), .parent = NODE_##parent_, .node = NODE_LEAF, .set = (set_)
#define P(f) .offset = offsetof(struct ds_profile, f)
#define S(f) .offset = offsetof(struct ds_span, f)
#define T(f) .offset = offsetof(struct ds_target, f)
#define TT(f) .offset = offsetof(struct ds_thread_target, f)
#define U32  .max = UINT32_MAX
#define U64  .max = UINT64_MAX

const struct row xmlschema[] = {
	{ NODE("Profile", TOP, PROFILE), .required = true },

	{ NODE("TimeSpans", PROFILE, SPANS), .required = true, .end = xmlset_end_spans },
	{ LEAF("Verbose", PROFILE, xmlset_bool), P(verbose) },
	{ LEAF("VerboseStats", PROFILE, xmlset_bool), P(verbose_stats) },
	{ LEAF("Progress", PROFILE, xmlset_u32), P(progress_ios), U32 },
	{ LEAF("ExperimentFlags", PROFILE, xmlset_u32), P(experiment_flags), U32 },
	{ LEAF("ResultFormat", PROFILE, xmlset_enum), P(format), .words = formats },
	{ LEAF("PrecreateFiles", PROFILE, xmlset_enum), P(precreate), .words = precreates },
	{ NODE("ETW", PROFILE, ETW) },

	{ LEAF("Process", ETW, xmlset_event), P(event[DS_EV_PROCESS]) },
	{ LEAF("Thread", ETW, xmlset_event), P(event[DS_EV_THREAD]) },
	{ LEAF("ImageLoad", ETW, xmlset_event), P(event[DS_EV_IMAGE_LOAD]) },
	{ LEAF("DiskIO", ETW, xmlset_event), P(event[DS_EV_DISK_IO]) },
	{ LEAF("MemoryPageFaults", ETW, xmlset_event), P(event[DS_EV_SOFT_FAULTS]) },
	{ LEAF("MemoryHardFaults", ETW, xmlset_event), P(event[DS_EV_HARD_FAULTS]) },
	{ LEAF("Network", ETW, xmlset_event), P(event[DS_EV_NETWORK]) },
	{ LEAF("Registry", ETW, xmlset_event), P(event[DS_EV_REGISTRY]) },
	{ LEAF("UsePagedMemory", ETW, xmlset_event), P(event[DS_EV_PAGED]) },
	{ LEAF("UsePerfTimer", ETW, xmlset_event), P(event[DS_EV_PERF_TIMER]) },
	{ LEAF("UseSystemTimer", ETW, xmlset_event), P(event[DS_EV_SYSTEM_TIMER]) },
	{ LEAF("UseCyclesCounter", ETW, xmlset_event), P(event[DS_EV_CYCLES]) },

	{ NODE("TimeSpan", SPANS, SPAN), .repeatable = true, .required = true, .begin = xmlset_begin_span, .end = xmlset_end_span },

	{ NODE("Targets", SPAN, TARGETS), .required = true },
	{ LEAF("Duration", SPAN, xmlset_u32), S(duration_s), U32 },
	{ LEAF("Warmup", SPAN, xmlset_u32), S(warmup_s), U32 },
	{ LEAF("Cooldown", SPAN, xmlset_u32), S(cooldown_s), U32 },
	{ LEAF("RandSeed", SPAN, xmlset_u64), S(seed), U64 },
	{ LEAF("ThreadCount", SPAN, xmlset_u32), S(threads), U32 },
	{ LEAF("RequestCount", SPAN, xmlset_u32), S(requests), U32 },
	{ LEAF("IoBucketDuration", SPAN, xmlset_u32), S(bucket_ms), .min = 1, U32 },
	{ LEAF("RandomWriteData", SPAN, xmlset_bool), S(random_data) },
	{ LEAF("GroupAffinity", SPAN, xmlset_nothing) },
	{ LEAF("DisableAffinity", SPAN, xmlset_bool), S(no_affinity) },
	{ LEAF("CompletionRoutines", SPAN, xmlset_bool), S(completion_routines) },
	{ LEAF("MeasureLatency", SPAN, xmlset_bool), S(latency) },
	{ LEAF("CalculateIopsStdDev", SPAN, xmlset_bool), S(iops_stats) },
	{ NODE("Affinity", SPAN, AFFINITY) },
	{ NODE("IoRing", SPAN, IO_RING), .begin = xmlset_begin_io_ring, .since_23 = true },
	{ LEAF("AffinityTraversal", SPAN, xmlset_traversal), .attr = { "Group", "Efficiency" },
	  .attr_optional = true, .since_23 = true },
	{ LEAF("BufferSeparation", SPAN, xmlset_separation), .words = separations, .since_23 = true },
	{ LEAF("CompletionDepth", SPAN, xmlset_completion_depth), S(completion_depth), .min = 1, .max = 16,
	  .since_23 = true },

	{ LEAF("AffinityAssignment", AFFINITY, xmlset_affinity), .repeatable = true },
	{ LEAF("AffinityGroupAssignment", AFFINITY, xmlset_group_affinity), .attr = { "Group", "Processor" },
	  .repeatable = true },
	{ LEAF("Group", AFFINITY, xmlset_group_mask), .attr = { "Group", "Mask" }, .repeatable = true, .since_23 = true },

	{ LEAF("IoRingBatchSize", IO_RING, xmlset_ring_batch), .attr = { "Percent" }, .attr_optional = true },
	{ LEAF("UseRegBuffer", IO_RING, xmlset_reg_buffer) },

	{ NODE("Target", TARGETS, TARGET), .repeatable = true, .required = true, .begin = xmlset_begin_target,
	  .end = xmlset_end_target },

	{ LEAF("Path", TARGET, xmlset_path), T(path), .required = true },
	{ LEAF("BlockSize", TARGET, xmlset_u64), T(block), U32 },
	{ LEAF("RequestCount", TARGET, xmlset_u32), T(depth), U32 },
	{ LEAF("ThreadsPerFile", TARGET, xmlset_u32), T(threads), U32 },
	{ LEAF("BurstSize", TARGET, xmlset_burst), T(burst_ios), U32 },
	{ LEAF("ThinkTime", TARGET, xmlset_think), T(think_ms), U32 },
	{ LEAF("Weight", TARGET, xmlset_u32), T(weight), U32 },
	{ LEAF("IOPriority", TARGET, xmlset_u32), T(priority), .max = 3 },
	{ LEAF("BaseFileOffset", TARGET, xmlset_u64), T(base), U64 },
	{ LEAF("MaxFileSize", TARGET, xmlset_u64), T(max_size), U64 },
	{ LEAF("FileSize", TARGET, xmlset_u64), T(create_size), U64 },
	{ LEAF("ThreadStride", TARGET, xmlset_u64), T(thread_stride), U64 },
	{ LEAF("StrideSize", TARGET, xmlset_stride), T(stride), U64 },
	{ LEAF("Random", TARGET, xmlset_random), U64 },
	{ LEAF("RandomRatio", TARGET, xmlset_random_ratio), T(random_percent), .min = 1, .max = 99 },
	{ NODE("Distribution", TARGET, DIST), .end = xmlset_end_distribution },
	{ LEAF("WriteRatio", TARGET, xmlset_u32), T(write_percent), .max = 100 },
	{ LEAF("Throughput", TARGET, xmlset_throughput), T(rate), U32, .attr = { "unit" }, .attr_optional = true },
	{ LEAF("InterlockedSequential", TARGET, xmlset_bool), T(interlocked) },
	{ LEAF("ParallelAsyncIO", TARGET, xmlset_bool), T(parallel) },
	{ LEAF("SequentialScan", TARGET, xmlset_bool), T(hint_sequential) },
	{ LEAF("RandomAccess", TARGET, xmlset_bool), T(hint_random) },
	{ LEAF("TemporaryFile", TARGET, xmlset_bool), T(hint_temporary) },
	{ LEAF("UseLargePages", TARGET, xmlset_bool), T(large_pages) },
	{ LEAF("DisableOSCache", TARGET, xmlset_os_cache) },
	{ LEAF("DisableAllCache", TARGET, xmlset_all_cache) },
	{ LEAF("DisableLocalCache", TARGET, xmlset_local_cache) },
	{ LEAF("WriteThrough", TARGET, xmlset_write_through) },
	{ LEAF("MemoryMappedIo", TARGET, xmlset_bool), T(mapped) },
	{ LEAF("FlushType", TARGET, xmlset_enum), T(flush), .words = flushes },
	{ NODE("WriteBufferContent", TARGET, CONTENT), .end = xmlset_end_content },
	{ NODE("ThreadTargets", TARGET, THREAD_TARGETS) },
	{ LEAF("BypassIO", TARGET, xmlset_enum), T(bypass), .words = bypasses, .since_23 = true },

	{ LEAF("Pattern", CONTENT, xmlset_enum), T(pattern), .words = patterns, .required = true },
	{ NODE("RandomDataSource", CONTENT, SOURCE) },
	{ LEAF("SizeInBytes", SOURCE, xmlset_u64), T(pool_size), .min = 1, U64, .required = true },
	{ LEAF("FilePath", SOURCE, xmlset_string), T(pool_file) },

	{ NODE("Percent", DIST, PERCENT), .end = xmlset_end_percent },
	{ NODE("Absolute", DIST, ABSOLUTE), .end = xmlset_end_absolute },
	{ LEAF("Range", PERCENT, xmlset_range), .min = 1, .max = 100, .attr = { "IO" }, .repeatable = true, .required = true },
	{ LEAF("Range", ABSOLUTE, xmlset_range), U64, .attr = { "IO" }, .repeatable = true, .required = true },

	{ NODE("ThreadTarget", THREAD_TARGETS, THREAD_TARGET), .repeatable = true, .required = true,
	  .begin = xmlset_begin_thread_target, .end = xmlset_end_thread_target },
	{ LEAF("Thread", THREAD_TARGET, xmlset_u32), TT(thread), U32, .required = true },
	{ LEAF("Weight", THREAD_TARGET, xmlset_u32), TT(weight), U32 },
};
/* clang-format on */

const unsigned xmlschema_rows = sizeof(xmlschema) / sizeof(xmlschema[0]);
_Static_assert(sizeof(xmlschema) / sizeof(xmlschema[0]) <= XMLSCHEMA_ROWS_MAX, "one line number per row");

void xmlschema_fini(struct reader *r)
{
	free(r->spans.v);
	free(r->targets.v);
	free(r->ranges.v);
	free(r->thread_targets.v);
	free(r->cpus.v);
}
