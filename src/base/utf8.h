/* utf8.h: which bytes are UTF-8. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

#define UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Returns the length of the UTF-8 character at s; 0 if the bytes are not valid UTF-8, such as an overlong
   form, a surrogate or a code above U+10FFFF. It reads no further than the first byte that is ASCII, such as
   the terminating NUL. */
size_t utf8_len(const unsigned char *s);
/* Returns true if no page may show the character of this length at s: a control character, a mark that is
   invisible or that turns the direction of the text after it, or a code that is no character. */
bool utf8_is_harmful(const unsigned char *s, size_t len);
/* Writes the character of this code, 3 bytes at most for codes below 65536, else 4; returns its length. */
size_t utf8_put(char *to, unsigned long code);

#endif
