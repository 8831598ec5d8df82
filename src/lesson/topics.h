// Questions that people ask, each with its answer and with commands that show it: docs/questions/questions.md in the source
// tree, in the installed share folder and in the bundle. `bankshot why` prints them, docs/questions.md is written from
// them (`make docs`), and a test runs every command and compares what it counts with what the text says.
//
// The file is Markdown. A topic begins with "## name: The question?" and goes up to the next. In it, a fenced block
// whose language is `try` holds one command line and, below it, what the command counts, one a line:
//
//   KEY = NUMBER : what that is
//
// KEY is a name of the command's JSON, at its top, in "counters" or in "modelled"; `line N NAME` adds NAME up over the
// line's accesses to shared memory; `hazards NAME` is how many hazards of that name there are.
#ifndef BANKSHOT_LESSON_TOPICS_H
#define BANKSHOT_LESSON_TOPICS_H

#include <stddef.h>

#include "base/diagnostic.h"
#include "base/text.h"

struct topic_count {
    const char *key, *meaning;
    double value;
};

struct topic_try {
    const char *command; // "bankshot trace docs/questions/wide.cu …"
    struct topic_count *counts;
    size_t count;
};

struct topic {
    const char *name, *question;
    const char *text; // the answer as Markdown, with its `try` blocks
    struct topic_try *tries;
    size_t try_count;
};

struct topics {
    struct arena *arena;
    char *folder;      // absolute path of docs/questions/
    const char *intro; // what stands before the first topic
    struct topic *items;
    size_t count;
};

// ENVIRONMENT: the folder is not there; PARSE: the file does not keep to the form above, and the message has its line.
enum status topics_open(struct topics *topics, struct diagnostic *diagnostic);
// From text instead; topics->folder is NULL.
enum status topics_read(struct topics *topics, const char *path, const char *text, struct diagnostic *diagnostic);
void topics_close(struct topics *topics);
const struct topic *topics_find(const struct topics *topics, const char *name);
// Appends text with each path below docs/questions/ as it is from here; in the source tree's root nothing changes.
void topics_paths(const struct topics *topics, const char *text, struct text *out);

#endif
