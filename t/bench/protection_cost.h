/* protection_cost.h: the verb protection of bench-digests. `argv` begins with it. Returns the exit status. */
#ifndef PROTECTION_COST_H
#define PROTECTION_COST_H

int protection_cost(int argc, char **argv);

#endif
