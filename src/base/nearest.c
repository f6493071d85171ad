#include "nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned nearest_distance(const char *a, const char *b)
{
	unsigned row[3][NEAREST_MAX + 1]; /* of the matrix: i - 2, i - 1 and i, modulo 3 */
	size_t na = strlen(a), nb = strlen(b);

	for (size_t j = 0; j <= nb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *second_last = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = min3(last[j] + 1, now[j - 1] + 1,
				      last[j - 1] + !same_letter(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]) && second_last[j - 2] + 1 < now[j])
				now[j] = second_last[j - 2] + 1;
		}
	}
	return row[na % 3][nb];
}

unsigned nearest_limit(size_t len)
{
	return len <= 1 ? 1 : len <= 3 ? 2 : 3;
}

const char *nearest_word(const char *const *words, const char *text)
{
	unsigned least = nearest_limit(strlen(text));
	const char *best = NULL;

	if (strlen(text) > NEAREST_MAX)
		return NULL;
	for (; *words; words++) {
		unsigned distance = strlen(*words) <= NEAREST_MAX ? nearest_distance(text, *words) : least;

		if (distance >= least)
			continue;
		least = distance;
		best = *words;
	}
	return best;
}

int word_find(const char *const *words, const char *text, size_t len)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == len && !memcmp(words[i], text, len))
			return i;
	return -1;
}
