/* live_request.h: the parent requests a copy of a worker's numbers through the word slot.copy_request. */
#ifndef LIVE_REQUEST_H
#define LIVE_REQUEST_H

#include <stdint.h>

/* slot.copy_request is 0, or the number of a copy buffer with the state of the request. The parent sets SENT,
   and may withdraw the request until the worker sets ACCEPTED. From then on the worker owns the buffer, until
   it sets DONE. */
enum live_request_state { LIVE_REQUEST_NONE, LIVE_REQUEST_SENT, LIVE_REQUEST_ACCEPTED, LIVE_REQUEST_DONE };

static inline uint32_t live_request_word(uint32_t buffer, enum live_request_state state)
{
	return buffer << 2 | state;
}
static inline uint32_t live_request_buffer(uint32_t word)
{
	return word >> 2;
}
static inline enum live_request_state live_request_state(uint32_t word)
{
	return (enum live_request_state)(word & 3);
}

#endif
