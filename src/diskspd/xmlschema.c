#include <stdlib.h>
#include "xml.h"

static const char *const formats[] = { "text", "xml", NULL };
const char *const xml_precreates[] = { "", "UseMaxSize", "CreateOnlyFilesWithConstantSizes",
				       "CreateOnlyFilesWithConstantOrZeroSizes", NULL };
const char *const xml_flushes[] = { "", "ViewOfFile", "NonVolatileMemory", "NonVolatileMemoryNoDrain", NULL };
const char *const xml_bypasses[] = { "", "Partial", "Full", NULL };
const char *const xml_patterns[] = { "sequential", "zero", "random", NULL };
static const char *const separations[] = { "PDECacheLine", "SystemDefault", NULL };

/* clang-format off */
#define NODE(name_, parent_, node_) .name = (name_), .parent = NODE_##parent_, .node = NODE_##node_
#define LEAF(name_, parent_, set_)  .name = (name_), .parent = NODE_##parent_, .node = NODE_LEAF, .set = (set_)
#define AT(f) offsetof(struct xml_reader, f)
#define P(f) .offset = AT(p.f)
#define S(f) .offset = AT(span.f)
#define T(f) .offset = AT(target.f)
#define TT(f) .offset = AT(thread_target.f)
#define G(f) .offset = AT(given.f)
#define ANY_EVENT .also = AT(p.any_event)
#define U32  .max = UINT32_MAX
#define U64  .max = UINT64_MAX

const struct xml_row xmlschema[] = {
	{ NODE("Profile", TOP, PROFILE), .required = true },

	{ NODE("TimeSpans", PROFILE, SPANS), .required = true, .end = xmlset_end_spans },
	{ LEAF("Verbose", PROFILE, xmlset_bool), P(verbose) },
	{ LEAF("VerboseStats", PROFILE, xmlset_bool), P(verbose_stats) },
	{ LEAF("Progress", PROFILE, xmlset_u32), P(progress_ios), U32 },
	{ LEAF("ExperimentFlags", PROFILE, xmlset_u32), P(experiment_flags), U32 },
	{ LEAF("ResultFormat", PROFILE, xmlset_enum), P(format), .words = formats },
	{ LEAF("PrecreateFiles", PROFILE, xmlset_enum), P(precreate), .words = xml_precreates },
	{ NODE("ETW", PROFILE, ETW) },

	{ LEAF("Process", ETW, xmlset_bool), P(event[DS_EV_PROCESS]), ANY_EVENT },
	{ LEAF("Thread", ETW, xmlset_bool), P(event[DS_EV_THREAD]), ANY_EVENT },
	{ LEAF("ImageLoad", ETW, xmlset_bool), P(event[DS_EV_IMAGE_LOAD]), ANY_EVENT },
	{ LEAF("DiskIO", ETW, xmlset_bool), P(event[DS_EV_DISK_IO]), ANY_EVENT },
	{ LEAF("MemoryPageFaults", ETW, xmlset_bool), P(event[DS_EV_SOFT_FAULTS]), ANY_EVENT },
	{ LEAF("MemoryHardFaults", ETW, xmlset_bool), P(event[DS_EV_HARD_FAULTS]), ANY_EVENT },
	{ LEAF("Network", ETW, xmlset_bool), P(event[DS_EV_NETWORK]), ANY_EVENT },
	{ LEAF("Registry", ETW, xmlset_bool), P(event[DS_EV_REGISTRY]), ANY_EVENT },
	{ LEAF("UsePagedMemory", ETW, xmlset_bool), P(event[DS_EV_PAGED]), ANY_EVENT },
	{ LEAF("UsePerfTimer", ETW, xmlset_bool), P(event[DS_EV_PERF_TIMER]), ANY_EVENT },
	{ LEAF("UseSystemTimer", ETW, xmlset_bool), P(event[DS_EV_SYSTEM_TIMER]), ANY_EVENT },
	{ LEAF("UseCyclesCounter", ETW, xmlset_bool), P(event[DS_EV_CYCLES]), ANY_EVENT },

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
	{ LEAF("GroupAffinity", SPAN, xmlset_bool), G(group_affinity) },
	{ LEAF("DisableAffinity", SPAN, xmlset_bool), S(no_affinity) },
	{ LEAF("CompletionRoutines", SPAN, xmlset_bool), S(completion_routines) },
	{ LEAF("MeasureLatency", SPAN, xmlset_bool), S(latency) },
	{ LEAF("CalculateIopsStdDev", SPAN, xmlset_bool), S(iops_stats) },
	{ NODE("Affinity", SPAN, AFFINITY) },
	{ NODE("IoRing", SPAN, IO_RING), .given = AT(span.io_ring), .since_23 = true },
	{ LEAF("AffinityTraversal", SPAN, xmlset_traversal), .attr = { "Group", "Efficiency" },
	  .attr_optional = true, .since_23 = true },
	{ LEAF("BufferSeparation", SPAN, xmlset_separation), .words = separations, .since_23 = true },
	{ LEAF("CompletionDepth", SPAN, xmlset_u32), S(completion_depth), .min = 1, .max = 16,
	  .given = AT(span.completion_depth_given), .since_23 = true },

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
	{ LEAF("BurstSize", TARGET, xmlset_u32), T(burst_ios), U32, .given = AT(target.burst_given) },
	{ LEAF("ThinkTime", TARGET, xmlset_u32), T(think_ms), U32, .given = AT(target.think_given) },
	{ LEAF("Weight", TARGET, xmlset_u32), T(weight), U32 },
	{ LEAF("IOPriority", TARGET, xmlset_u32), T(priority), .max = 3 },
	{ LEAF("BaseFileOffset", TARGET, xmlset_u64), T(base), U64 },
	{ LEAF("MaxFileSize", TARGET, xmlset_u64), T(max_size), U64 },
	{ LEAF("FileSize", TARGET, xmlset_u64), T(create_size), U64 },
	{ LEAF("ThreadStride", TARGET, xmlset_u64), T(thread_stride), U64 },
	{ LEAF("StrideSize", TARGET, xmlset_u64), T(stride), U64, .given = AT(given.stride) },
	{ LEAF("Random", TARGET, xmlset_u64), G(random_align), U64, .given = AT(given.random) },
	{ LEAF("RandomRatio", TARGET, xmlset_u32), T(random_percent), .min = 1, .max = 99, .given = AT(given.ratio),
	  .hint = "; for random I/O only write <Random> alone, for sequential I/O only <StrideSize> alone" },
	{ NODE("Distribution", TARGET, DIST), .end = xmlset_end_distribution },
	{ LEAF("WriteRatio", TARGET, xmlset_u32), T(write_percent), .max = 100 },
	{ LEAF("Throughput", TARGET, xmlset_throughput), T(rate), U32, .attr = { "unit" }, .attr_optional = true },
	{ LEAF("InterlockedSequential", TARGET, xmlset_bool), T(interlocked) },
	{ LEAF("ParallelAsyncIO", TARGET, xmlset_bool), T(parallel) },
	{ LEAF("SequentialScan", TARGET, xmlset_bool), T(hint_sequential) },
	{ LEAF("RandomAccess", TARGET, xmlset_bool), T(hint_random) },
	{ LEAF("TemporaryFile", TARGET, xmlset_bool), T(hint_temporary) },
	{ LEAF("UseLargePages", TARGET, xmlset_bool), T(large_pages) },
	{ LEAF("DisableOSCache", TARGET, xmlset_bool), G(os_cache) },
	{ LEAF("DisableAllCache", TARGET, xmlset_bool), G(os_cache), .also = AT(target.write_through) },
	{ LEAF("DisableLocalCache", TARGET, xmlset_bool), G(local_cache) },
	{ LEAF("WriteThrough", TARGET, xmlset_bool), T(write_through) },
	{ LEAF("MemoryMappedIo", TARGET, xmlset_bool), T(mapped) },
	{ LEAF("FlushType", TARGET, xmlset_enum), T(flush), .words = xml_flushes },
	{ NODE("WriteBufferContent", TARGET, CONTENT), .end = xmlset_end_content },
	{ NODE("ThreadTargets", TARGET, THREAD_TARGETS) },
	{ LEAF("BypassIO", TARGET, xmlset_enum), T(bypass), .words = xml_bypasses, .since_23 = true },

	{ LEAF("Pattern", CONTENT, xmlset_enum), T(pattern), .words = xml_patterns, .required = true },
	{ NODE("RandomDataSource", CONTENT, SOURCE) },
	{ LEAF("SizeInBytes", SOURCE, xmlset_u64), T(pool_size), .min = 1, U64, .required = true },
	{ LEAF("FilePath", SOURCE, xmlset_string), T(pool_file) },

	{ NODE("Percent", DIST, PERCENT), .end = xmlset_end_ranges },
	{ NODE("Absolute", DIST, ABSOLUTE), .end = xmlset_end_ranges },
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

void xmlschema_fini(struct xml_reader *r)
{
	free(r->spans.v);
	free(r->targets.v);
	free(r->ranges.v);
	free(r->thread_targets.v);
	free(r->cpus.v);
}
