/* help_topic.h: `fiord help WORD...` and --cmdhelp=OPTION. */
#ifndef HELP_TOPIC_H
#define HELP_TOPIC_H

#include "doc.h"

/* Everything the option's row says. 0, or -errno with d that names the nearest option. */
int help_option(const char *name, enum doc_choices which, struct strbuf *b, struct diag *d);
/* The same with the manual's prose and an example. The topic may also be a word that newcomers use ("queue
   depth"), or words that the help of options has: then the options are listed. */
int help_topic(const char *topic, struct strbuf *b, struct diag *d);

#endif
