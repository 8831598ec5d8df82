// One block of a graded run once more, to look at: the same text over the same inputs gives the same accesses.
#ifndef BANKSHOT_GRADE_RECORD_H
#define BANKSHOT_GRADE_RECORD_H

#include "grade/grade.h"

struct record_request {
    const char *text; // the source that was graded; NULL = the file
    size_t part;      // of the lesson, as in the report
    uint64_t block;   // linear index, x fastest
};

// options: the source's path, the compiler, and the report's seed. USAGE: there is no such part or block. A block whose
// run fails is recorded up to there, and *recording is freed by the caller in any case.
enum status grade_record(const struct lesson *lesson, const struct grade_options *options,
                         const struct record_request *request, grade_progress *progress, void *context,
                         struct recording *recording, struct diagnostic *diagnostic);

#endif
