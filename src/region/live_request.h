/* live_request.h: how the parent asks a worker for a copy of its numbers, and gets it: the word slot.ask. */
#ifndef LIVE_REQUEST_H
#define LIVE_REQUEST_H

#include <stdint.h>

/* slot.ask: 0, or the number of the spare and who has to do what next. The parent writes ASKED, and takes it
   back unless the worker has made it TAKEN; the spare is the worker's until that is DONE. */
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
