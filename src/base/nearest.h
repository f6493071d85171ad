/* nearest.h: finds the word that the user probably meant. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

#define NEAREST_MAX 48 /* longer words are not compared */

/* Counts the letters to insert, drop, change or swap with their neighbour. Case does not matter. Neither word
   is longer than NEAREST_MAX. */
unsigned nearest_distance(const char *a, const char *b);
/* Returns the distance from which on a word has too little in common with a typed one of this length. */
unsigned nearest_limit(size_t len);
/* Returns the nearest of the words, which end with NULL; NULL if none is near. */
const char *nearest_word(const char *const *words, const char *text);

#endif
