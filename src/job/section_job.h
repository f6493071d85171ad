/* section_job.h: one job from the layers of its section (sections.h). */
#ifndef SECTION_JOB_H
#define SECTION_JOB_H

#include "sections.h"

/* The source of a layer's options, which messages show. */
enum origin { FROM_DEFAULTS, FROM_GLOBAL, FROM_SECTION, FROM_SET };

/* Assembles the job of a section and adds it to the set. All return 0 or -errno with s->d. */
int section_make_job(struct sections *s, struct raw_section *sec, bool first_of_file);
/* Applies all layers in force without a job: checks the options that no job used, and collects JSON's "global
   options". */
int section_check_layers(struct sections *s);
/* Refuses engine options from outside the sections that no job used. */
int section_refuse_unused(struct sections *s, struct raw_section *layer, enum origin from);

#endif
