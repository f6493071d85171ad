/* host.h: what else of this machine bears on figures: sockets and cores, frequencies, a hypervisor, limits of
   a control group. From /sys and /proc, read only; what is not known is left out. */
#ifndef HOST_H
#define HOST_H

#include "props.h"

void host_add(struct props *p);

#endif
