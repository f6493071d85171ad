#include "collect_span_parts.h"

#include "topology.h"

#define CPUS_OF_GROUP 64
#define EVENTS        13

static struct span_use use_of(double idle, double user, double waiting)
{
	double usage = 100 - idle;

	return (struct span_use){ usage, user, usage > user ? usage - user : 0, idle,
				  waiting < idle ? waiting : idle };
}

bool collect_cpus(struct result_span *span, const struct span_system *machine, const struct cpuidle_use *use,
		  struct arena *mem)
{
	unsigned n = use ? use->ncpus : 0;
	struct span_cpu *v = arena_array(mem, n ? n : 1, sizeof(*v));
	double idle = 0, user = 0, waiting = 0;

	for (unsigned i = 0; v && i < n; i++) {
		idle += use->cpu[i].idle / n;
		user += use->cpu[i].user / n;
		waiting += use->cpu[i].iowait / n;
		v[i] = topology_cpu(machine, use->cpu[i].number);
		v[i].use = use_of(use->cpu[i].idle, use->cpu[i].user, use->cpu[i].iowait);
	}
	span->cpus = v;
	span->ncpus = v ? n : 0;
	span->cpu_mean = use_of(idle, user, waiting);
	return v;
}

bool collect_affinity(struct result_span *span, const struct span_system *machine, const struct cpuset *cpus,
		      struct arena *mem)
{
	struct span_mask *v = arena_array(mem, CPUSET_MAX / CPUS_OF_GROUP, sizeof(*v));

	span->affinity.v = v;
	if (topology_mixed(machine, cpus))
		span->affinity_warning = "threads are pinned to processors of different efficiency classes";
	for (unsigned i = 0; v && i < CPUSET_MAX / CPUS_OF_GROUP; i++)
		if (cpus->bits[i])
			v[span->affinity.n++] = (struct span_mask){ i, cpus->bits[i] };
	return v;
}

static void add_event(struct result_span *span, struct span_event *v, struct span_event event)
{
	v[span->nevents++] = event;
}

/* ETW counts processes and threads separately; Linux counts both as forks. */
static void add_forks(struct result_span *span, struct span_event *v, const struct ds_profile *profile,
		      const struct kernel_counters *k)
{
	static const char source[] = "/proc/stat: processes and threads of the whole machine together";

	if (!k->known[KERN_FORKS])
		return;
	if (profile->event[DS_EV_PROCESS])
		add_event(span, v, (struct span_event){ "Process", "Start", source, k->v[KERN_FORKS] });
	if (profile->event[DS_EV_THREAD])
		add_event(span, v, (struct span_event){ "Thread", "Start", source, k->v[KERN_FORKS] });
}

static void add_network(struct result_span *span, struct span_event *v, const struct kernel_counters *k)
{
	static const struct {
		enum kern_count count;
		const char *name;
	} net[] = {
		{ KERN_TCP_ACCEPTS, "Accept" },        { KERN_TCP_CONNECTS, "Connect" },
		{ KERN_TCP_RESENT, "Retransmit" },     { KERN_TCP_SENT, "TCPIPSend" },
		{ KERN_TCP_RECEIVED, "TCPIPReceive" }, { KERN_UDP_SENT, "UDPIPSend" },
		{ KERN_UDP_RECEIVED, "UDPIPReceive" },
	};

	for (unsigned i = 0; i < sizeof(net) / sizeof(*net); i++)
		if (k->known[net[i].count])
			add_event(span, v,
				  (struct span_event){ "Network", net[i].name,
						       "/proc/net/snmp: of this network namespace",
						       k->v[net[i].count] });
}

/* Linux counts minor faults of all kinds together. Most of them map a new page. */
static void add_faults(struct result_span *span, struct span_event *v, const struct ds_profile *profile,
		       const uint64_t faults[2])
{
	static const char source[] = "getrusage (Demand Zero: minor faults of all kinds)";

	if (profile->event[DS_EV_SOFT_FAULTS]) {
		add_event(span, v,
			  (struct span_event){ "MemoryPageFaults", "DemandZeroFault", source, faults[0] });
		add_event(span, v,
			  (struct span_event){ "MemoryPageFaults", "HardPageFault", source, faults[1] });
	} else if (profile->event[DS_EV_HARD_FAULTS]) {
		add_event(span, v,
			  (struct span_event){ "MemoryHardFaults", "HardPageFault", "getrusage", faults[1] });
	}
}

bool collect_events(struct result_span *span, const struct ds_profile *profile,
		    const struct event_counts *counts, struct arena *mem)
{
	struct span_event *v = arena_array(mem, EVENTS, sizeof(*v));

	span->events = v;
	if (!v || !profile->any_event)
		return v;
	if (profile->event[DS_EV_DISK_IO] && counts->disk) {
		add_event(span, v, (struct span_event){ "DiskIO", "Read", "diskstats", counts->disk[0] });
		add_event(span, v, (struct span_event){ "DiskIO", "Write", "diskstats", counts->disk[1] });
	}
	add_faults(span, v, profile, counts->faults);
	if (profile->event[DS_EV_NETWORK])
		add_network(span, v, counts->kernel);
	add_forks(span, v, profile, counts->kernel);
	return v;
}
