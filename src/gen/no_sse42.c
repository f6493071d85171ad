/* no_sse42.c: the build chooses this file if the CPU family has no SSE4.2. cpu_has_sse42() is false there, so
   this function is never called. */
#include "crc.h"

uint32_t crc32c_sse42(const void *data, size_t bytes)
{
	return crc32c_table(data, bytes);
}
