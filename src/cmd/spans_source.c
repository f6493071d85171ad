#include "planning.h"

#include "fromjob.h"

int spans_source_init(struct spans_source *s, const struct plan *p, const struct machine *m, struct diag *d)
{
	if (!(p->set->run.formats & OUT_SPANS))
		return 0;
	s->profile = p->set->diskspd.profile;
	s->cpus = wave_usage_new(p, s->profile && s->profile->event[DS_EV_DISK_IO],
				 s->profile && (s->profile->event[DS_EV_PROCESS] ||
						s->profile->event[DS_EV_THREAD] ||
						s->profile->event[DS_EV_NETWORK]));
	if (s->profile)
		return 0;
	s->profile = &s->derived;
	if (fromjob_profile(&s->derived, p->set, &m->allowed, &s->dropped, d))
		return diag_wrap(d, "--output-format=diskspd");
	return 0;
}

void spans_source_fini(struct spans_source *s)
{
	wave_usage_free(s->cpus);
	ds_profile_fini(&s->derived);
	notes_fini(&s->dropped);
}
