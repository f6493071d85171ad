/* vec.h: growable arrays. Declare VEC(T) list; or a struct with such members, and push with VEC_PUSH; or push
   to an array with VEC_ADD, which takes the array, its length and its room. */
#ifndef VEC_H
#define VEC_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more element; `bytes` is the size of an element. Returns false when memory is short. */
bool vec_grow(void **v, size_t n, size_t *cap, size_t bytes);

#define VEC(type)              \
	struct {               \
		type *v;       \
		size_t n, cap; \
	}
/* The value of these macros is true if the element was stored. */
#define VEC_ADD(v, n, cap, ...) \
	(vec_grow((void **)&(v), n, &(cap), sizeof(*(v))) ? ((v)[(n)++] = (__VA_ARGS__), true) : false)
#define VEC_PUSH(list, ...) VEC_ADD((list)->v, (list)->n, (list)->cap, __VA_ARGS__)

#endif
