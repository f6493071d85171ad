/* host.h: facts about this machine that influence results: sockets and cores, frequencies, a hypervisor, the
   limits of the control group. They are read from /sys and /proc; unknown facts are left out. */
#ifndef HOST_H
#define HOST_H

#include "props.h"

void host_add(struct props *p);

#endif
