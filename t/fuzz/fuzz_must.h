/* fuzz_must.h: what every target needs: its entry point, and a check that ends the process. */
#ifndef FUZZ_MUST_H
#define FUZZ_MUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints what is wrong and the text with it, and aborts, unless all is good. */
static inline void must(bool good, const char *what, const char *text)
{
	if (good)
		return;
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

#endif
