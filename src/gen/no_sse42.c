/* no_sse42.c: the build chooses this file if the CPU family has no SSE4.2. cpu_has_sse42() is false there, so
   these functions are never called. */
#include "crc.h"

uint32_t crc32c_sse42(const void *data, size_t bytes)
{
	return crc32c_table(data, bytes);
}

uint16_t crc16_t10dif_pclmul(uint16_t crc, const void *data, size_t bytes)
{
	return crc16_t10dif_table(crc, data, bytes);
}
