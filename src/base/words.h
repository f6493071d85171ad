/* words.h: looks words up in a list that ends with NULL. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

/* Returns the index of the word with these `len` letters; -1 if the list has none. */
int word_find(const char *const *words, const char *text, size_t len);

#endif
