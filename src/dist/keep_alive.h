/* keep_alive.h: finds whether mpirun of Open MPI will notice soon that a host has lost its network. By
   default it takes eight minutes. mpirun reads the setting before any rank starts, so the script fiord-mpirun
   sets it. */
#ifndef KEEP_ALIVE_H
#define KEEP_ALIVE_H

#include "comm.h"

/* Returns advice for the user if the ranks run on several hosts and mpirun has no setting, else NULL. */
const char *keep_alive_advice(const struct comm *c);

#endif
