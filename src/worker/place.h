/* place.h: the CPUs, memory nodes and priorities of a worker. */
#ifndef PLACE_H
#define PLACE_H

#include "clone.h"

/* Gives the calling worker its CPUs, memory nodes and priorities. Returns false after clone_fail. */
bool place_worker(struct clone *c);

#endif
