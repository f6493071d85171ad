/* comm_end.c: the end of MPI, where MPI_Finalize cannot be used. */
#include <string.h>
#include "comm.h"

/* MPI_Finalize of MPICH (4.0.2 with UCX 1.13) closes its connections while other ranks have stopped reading
   theirs. On four hosts with TCP that hangs in half of all runs, even in an empty MPI program. */
bool comm_finalize_hangs(const struct comm *c)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int bytes = 0;

	MPI_Get_library_version(version, &bytes);
	return strstr(version, "ch4:ucx") && comm_several_hosts(c);
}

int comm_end_together(struct comm *c, int code)
{
	MPI_Request req;
	int worst = code;

	comm_begin_step(c, "its end", comm_now());
	if (MPI_Iallreduce(&code, &worst, 1, MPI_INT, MPI_MAX, c->world, &req) || comm_wait(c, &req))
		return code;
	return worst;
}
