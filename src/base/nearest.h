/* nearest.h: finds a word in a list, or the one that the user probably meant. Lists end with NULL. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

#define NEAREST_MAX 48 /* longer words are not compared */

/* Counts the letters to insert, drop, change or swap with their neighbour. Case does not matter. Neither word
   is longer than NEAREST_MAX. */
unsigned nearest_distance(const char *a, const char *b);
/* Returns the distance from which on a word has too little in common with a typed one of this length. */
unsigned nearest_limit(size_t len);
/* Returns the nearest of the words; NULL if none is near. */
const char *nearest_word(const char *const *words, const char *text);
/* Returns the index of the word with these `len` letters; -1 if the list has none. */
int word_find(const char *const *words, const char *text, size_t len);

#endif
