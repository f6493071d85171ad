#include "rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTING "oob_tcp_keepalive_time"

/* Returns whether the file sets it on a line of its own. */
static bool file_sets(const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	while (f && !found && getline(&line, &size, f) >= 0) {
		const char *word = line + strspn(line, " \t");

		found = !strncmp(word, SETTING, strlen(SETTING));
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

static bool home_sets(void)
{
	const char *home = getenv("HOME");
	char *path;
	bool found;

	if (!home || asprintf(&path, "%s/.openmpi/mca-params.conf", home) < 0)
		return false;
	found = file_sets(path);
	free(path);
	return found;
}

/* mpirun passes its environment and its arguments --mca to the ranks as variables. */
static bool keepalive_is_set(void)
{
	return getenv("OMPI_MCA_" SETTING) || getenv("PRTE_MCA_" SETTING) || home_sets() ||
	       file_sets("/etc/openmpi/openmpi-mca-params.conf");
}

const char *mpirun_keepalive_advice(const struct comm *c)
{
	/* Other launchers do not read this setting. */
	if (!getenv("OMPI_COMM_WORLD_RANK") || !comm_several_hosts(c) || keepalive_is_set())
		return NULL;
	return "if a host loses its network, mpirun ends only after eight minutes; use fiord-mpirun in its "
	       "place, "
	       "which takes the same arguments and ends after 15 s";
}
