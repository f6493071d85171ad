#include "words.h"

#include <string.h>

int word_find(const char *const *words, const char *text, size_t len)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == len && !memcmp(words[i], text, len))
			return i;
	return -1;
}
