#include "block_check.h"

#include <stdlib.h>
#include <string.h>
#include "clone.h"
#include "account.h"
#include "worker.h"

void verify_doubtful_fini(struct verify_doubtful *v)
{
	free(v->more);
	v->more = NULL;
}

void verify_doubtful_add(struct verify_doubtful *v, const struct worker *w, struct verify_damages *damages,
			 uint32_t file, const struct verify_damage *d)
{
	if (v->blocks == VERIFY_DAMAGES && w->stats.files && !v->more)
		v->more = calloc(w->clone.job->nfiles, sizeof(*v->more));
	if (v->blocks < VERIFY_DAMAGES) {
		v->first[v->blocks].file = file;
		v->first[v->blocks].damage = *d;
	} else if (v->more) {
		v->more[file]++;
	}
	damages->to->checked++;
	v->blocks++;
}

void verify_doubtful_forget(struct verify_doubtful *v, const struct worker *w)
{
	if (v->more)
		memset(v->more, 0, w->clone.job->nfiles * sizeof(*v->more));
	v->blocks = 0;
}

void verify_doubtful_condemn(struct verify_doubtful *v, struct worker *w, struct verify_damages *damages)
{
	damages->to->checked -= v->blocks;
	for (uint64_t i = 0; i < v->blocks && i < VERIFY_DAMAGES; i++)
		verify_damages_add(damages, w, v->first[i].file, &v->first[i].damage);
	if (v->blocks > VERIFY_DAMAGES)
		verify_damages_add_more(damages, w, v->blocks - VERIFY_DAMAGES);
	for (uint32_t i = 0; v->more && i < w->clone.job->nfiles; i++)
		file_stats_account_errors(w, i, DIR_READ, v->more[i]);
	verify_doubtful_forget(v, w);
}
