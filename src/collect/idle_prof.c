#include "collect.h"

#include "cpuidle.h"

void idle_prof_unit(struct result_idle *idle)
{
	struct cpuidle_unit unit;

	cpuidle_unit(&unit);
	idle->on = true;
	idle->unit_mean_us = unit.mean_us;
	idle->unit_stddev_us = unit.stddev_us;
}

void idle_prof_result(const struct cpuidle *c, enum idle_prof how, struct result *r)
{
	struct result_idle idle = { 0 };
	struct result_cpu cpu[CPUIDLE_MAX];
	struct cpuidle_use use;

	if (!c)
		return;
	cpuidle_end(c, &use);
	idle.system = use.all;
	for (unsigned i = 0; how == IDLE_PERCPU && i < use.ncpus; i++)
		cpu[idle.ncpus++] = (struct result_cpu){ use.cpu[i].number, use.cpu[i].idle };
	idle.cpus = cpu;
	idle_prof_unit(&idle);
	result_set_idle(r, &idle);
}
