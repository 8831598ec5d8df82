// Pages of docs/ that are written from the program's own tables: by `make docs`, and by the checks that they are
// current.
#ifndef BANKSHOT_TESTS_DOCUMENTS_H
#define BANKSHOT_TESTS_DOCUMENTS_H

#include "base/text.h"

// Each appends Markdown.
void documents_ptx_coverage(struct text *page); // opcodes, types, words and special registers
void documents_names(struct text *page);        // what lesson.cfg may name
void documents_questions(
    struct text *page); // docs/questions/questions.md below the working folder; nothing if it is not right

#endif
