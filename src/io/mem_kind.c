#include "iobuf.h"

const char *mem_kind_name(enum mem_kind kind)
{
	static const char *const names[] = { "malloc", "shm", "shmhuge", "mmap", "mmaphuge", "mmapshared" };

	return names[kind];
}
