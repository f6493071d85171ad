/* place.h: the CPUs, memory nodes and priorities of a worker. */
#ifndef PLACE_H
#define PLACE_H

#include "clone.h"

/* Takes its CPUs, memory nodes and priorities. False after clone_fail. */
bool place_worker(struct clone *c);

#endif
