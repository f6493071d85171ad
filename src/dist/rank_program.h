/* rank_program.h: the programs of a run: ranks with the same arguments. Before the ranks run anything, rank 0
   compares their targets, or prints their plans. */
#ifndef RANK_PROGRAM_H
#define RANK_PROGRAM_H

#include "comm.h"
#include "planning.h"

/* Makes each group of ranks with the same arguments a program, which loads its own job files. A launcher may
   have started several groups as one program. */
void rank_program_split(struct comm *c, int argc, char *const *argv);
/* Returns the arguments with ${RANK}, ${NRANKS} and ${HOST} replaced, for the caller to free; NULL if memory
   is short. The environment has these variables. */
char **rank_program_arguments(int argc, char *const *argv);
/* Refuses verbs that fiord-mpi does not have. Returns 0 or -errno with d. */
int rank_program_verb(int argc, char *const *argv, struct diag *d);
/* Returns the facts of the rank for the plan. Every rank calls it. */
struct rank_info rank_program_info(struct comm *c);
/* For rank 0: refuses files that the ranks would damage together (rank_targets.h). Every rank calls it.
   Returns 0 or -errno with d. */
int rank_program_targets(struct comm *c, const struct plan *p, struct diag *d);
/* The verb check: rank 0 prints the plans of all ranks. Every rank calls it. Returns the exit code. */
int rank_program_check(struct comm *c, const struct plan *p, struct diag *d);

#endif
