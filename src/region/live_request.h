/* live_request.h: the parent requests a copy of a worker's numbers through the word slot.ask. */
#ifndef LIVE_REQUEST_H
#define LIVE_REQUEST_H

#include <stdint.h>

/* slot.ask is 0, or the number of a spare with the state of the request. The parent sets ASKED and may
   withdraw the request until the worker sets TAKEN. From TAKEN on the worker owns the spare, until it sets
   DONE. */
enum ask_state { ASK_NONE, ASK_ASKED, ASK_TAKEN, ASK_DONE };

static inline uint32_t ask_word(uint32_t spare, enum ask_state state)
{
	return spare << 2 | state;
}
static inline uint32_t ask_spare(uint32_t word)
{
	return word >> 2;
}
static inline enum ask_state ask_state(uint32_t word)
{
	return (enum ask_state)(word & 3);
}

#endif
