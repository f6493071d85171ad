/* fuzz_pack: the input is the pack of a result from another rank, or a document, whose pack is then damaged
   at up to 128 places in turn. A damaged pack is refused with one line, or has figures that a document can
   hold. */
#include <string.h>
#include "fuzz_must.h"
#include "read.h"
#include "report.h"
#include "result_pack.h"
#include "strbuf.h"

#define VERSION "1"
#define FLIPS   128 /* in one pack: more would take too long */

static void unpack(const void *pack, size_t bytes)
{
	struct result r = { 0 };
	struct strbuf b = { 0 };
	struct diag d = { 0 };

	if (result_unpack(&r, VERSION, pack, bytes, &d)) {
		must(*diag_text(&d) && !strchr(diag_text(&d), '\n'), "no one-line error", diag_text(&d));
	} else {
		must(!report_json(&r, &b), "cannot be printed", "json");
		strbuf_clear(&b);
		must(!result_pack(&r, &b), "cannot be packed", "again");
	}
	result_free(&r);
	strbuf_fini(&b);
	diag_fini(&d);
}

/* Flips a bit at FLIPS places spread over the pack, and cuts the pack at some of them. */
static void damage(struct strbuf *pack)
{
	size_t step = pack->len / FLIPS + 1;

	unpack(pack->text, pack->len);
	for (size_t at = 0; at < pack->len; at += step) {
		pack->text[at] ^= (char)(1 << at % 8);
		unpack(pack->text, pack->len);
		pack->text[at] ^= (char)(1 << at % 8);
		if (at % 8 == 0)
			unpack(pack->text, at);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result_set set = { 0 };
	struct strbuf pack = { 0 };
	struct diag d = { 0 };

	if (!size || (data[0] != '{' && data[0] != '['))
		unpack(data, size);
	else if (!result_read(&set, "fuzz.json", (const char *)data, size, &d))
		for (size_t i = 0; i < set.n; i++) {
			set.res[i]->version = VERSION;
			strbuf_clear(&pack);
			if (!set.res[i]->client_stats && !result_pack(set.res[i], &pack))
				damage(&pack);
		}
	result_set_free(&set);
	strbuf_fini(&pack);
	diag_fini(&d);
	return 0;
}
