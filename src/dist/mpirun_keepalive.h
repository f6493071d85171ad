/* mpirun_keepalive.h: finds whether mpirun of Open MPI will notice soon that a host has lost its network. By
   default it takes eight minutes. mpirun reads the setting before any rank starts, so the script fiord-mpirun
   sets it. */
#ifndef MPIRUN_KEEPALIVE_H
#define MPIRUN_KEEPALIVE_H

#include "comm.h"

/* Returns advice for the user if the ranks run on several hosts and mpirun has no setting, else NULL. */
const char *mpirun_keepalive_advice(const struct comm *c);

#endif
