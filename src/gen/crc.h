/* crc.h: the CRCs of verify blocks and of protection information. Tables that take 16 bytes per step serve
   all of them; CRC-32C and CRC-16/T10-DIF use the CPU's instructions where it has them. */
#ifndef CRC_H
#define CRC_H

#include <stddef.h>
#include <stdint.h>

uint8_t crc7(const void *data, size_t bytes);   /* CRC-7/MMC */
uint16_t crc16(const void *data, size_t bytes); /* CRC-16/ARC */
/* Polynomial 04c11db7, most significant bit first, from 0, without a final xor: zlib's is another. */
uint32_t crc32_msb(const void *data, size_t bytes);
uint64_t crc64(const void *data, size_t bytes);
/* CRC-16/T10-DIF: polynomial 8bb7, most significant bit first. crc: 0, or that of the bytes before. */
uint16_t crc16_t10dif(uint16_t crc, const void *data, size_t bytes);
/* CRC-32C without the final inversion. */
uint32_t crc_castagnoli(const void *data, size_t bytes);

/* The two ways to compute crc_castagnoli() and crc16_t10dif(). Call the second only where cpu_has_sse42(). */
uint32_t crc32c_table(const void *data, size_t bytes);
uint32_t crc32c_sse42(const void *data, size_t bytes);
uint16_t crc16_t10dif_table(uint16_t crc, const void *data, size_t bytes);
uint16_t crc16_t10dif_pclmul(uint16_t crc, const void *data, size_t bytes);

#endif
