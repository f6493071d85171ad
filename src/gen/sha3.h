/* sha3.h: SHA-3 (FIPS 202). libcrypto has it only behind EVP, which makes each start of a program twice as
   expensive. */
#ifndef SHA3_H
#define SHA3_H

#include <stddef.h>

/* digest: 28, 32, 48 or 64 bytes, written to out. */
void sha3(const void *data, size_t bytes, size_t digest, unsigned char *out);

#endif
