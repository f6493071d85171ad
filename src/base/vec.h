/* vec.h: growable arrays. Declare `struct { T *v; size_t n, cap; } list;` and push with VEC_PUSH. */
#ifndef VEC_H
#define VEC_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more element; `bytes` is the size of an element. Returns false when memory is short. */
bool vec_grow(void **v, size_t n, size_t *cap, size_t bytes);

/* The value of the macro is true if the element was stored. */
#define VEC_PUSH(list, ...)                                                         \
	(vec_grow((void **)&(list)->v, (list)->n, &(list)->cap, sizeof(*(list)->v)) \
		 ? ((list)->v[(list)->n++] = (__VA_ARGS__), true)                   \
		 : false)

#endif
