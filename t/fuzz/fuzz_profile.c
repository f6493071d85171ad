/* fuzz_profile: the input is an XML profile. The XML written from an accepted profile must be accepted and
   equal; a profile that passes the checks is printed in all other forms. */
#include <string.h>
#include "fuzz_must.h"
#include "profile.h"
#include "strbuf.h"
#include "tojob.h"
#include "explain.h"
#include "profile_line.h"
#include "profile_text.h"
#include "profile_xml.h"

static void check_again(const struct ds_profile *p)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct ds_profile again;
	struct diag d = { 0 };

	ds_xmlwrite(p, 0, &first);
	must(!ds_xmlread(&again, "again", first.text, first.len, DS_DIALECT_23, &d), diag_text(&d),
	     first.text);
	ds_xmlwrite(&again, 0, &second);
	must(!strcmp(strbuf_str(&first), strbuf_str(&second)), "reads back as something else", second.text);
	ds_profile_fini(&again);
	diag_fini(&d);
	strbuf_fini(&first);
	strbuf_fini(&second);
}

static void tell(const struct ds_profile *p)
{
	struct ds_explain_cfg explain = { .command = "diskspd" };
	struct ds_job_cfg cfg = { 0 };
	struct ds_job job = { 0 };
	struct strbuf out = { 0 };
	struct notes lost = { 0 };
	struct diag d = { 0 };

	ds_profile_text(p, "diskspd", DS_LAYOUT_22, &out);
	for (size_t i = 0; i < p->nspans; i++)
		ds_profile_line(p, i, &out, &lost);
	ds_explain(p, &explain, &out);
	ds_to_job(p, &cfg, &job, &d);
	diag_fini(&d);
	ds_job_fini(&job);
	notes_fini(&lost);
	strbuf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ds_check_cfg check = { .xml_names = true };
	struct ds_profile p;
	struct diag d = { 0 };

	if (ds_xmlread(&p, "fuzz.xml", (const char *)data, size, DS_DIALECT_23, &d))
		must(d.text && !strchr(d.text, '\n'), "no one-line error", diag_text(&d));
	else
		check_again(&p);
	if (!d.text && !ds_profile_check(&check, &p, NULL, &d))
		tell(&p);
	diag_fini(&d);
	ds_profile_fini(&p);
	return 0;
}
