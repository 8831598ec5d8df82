// The corpus: hand-ins under tests/hostile/FAMILY and tests/honest/FAMILY, each with the verdict that it must get. The
// first line of each says what is wanted, in fields parted by "; ":
//
//   // lesson 4; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: an atomic for the conflicting read
//
//   lesson N            the lesson that it is handed in for
//   device sim,gpu      where the verdict holds
//   nvcc,clang          with which compilers
//   quick               optional: `make test` runs it as well
//   want: CLAUSES       parted by ", ". The first names the verdicts allowed, parted by "|": pass, full (pass with full
//                       marks), fail, compile-error, launch-error, timeout, refused (one of the two errors),
//                       not-started. Then any of: gate A|B (one of these gates fails), diagnosis X|Y, at most N,
//                       at least N (points)
//   want WHERE: CLAUSES the same for one compiler or device, in place of the general one; before "tries"
//   tries: TEXT         what the source tries, to the end of the line
//
// A source whose first line cannot be a comment (an empty file, a binary one) has its line in NAME.cu.want beside it.
// Whatever is wanted, a verdict that blames the machine is wrong, and one that is not "pass" must come with a sentence
// in printable characters.
#ifndef BANKSHOT_TESTS_CORPUS_H
#define BANKSHOT_TESTS_CORPUS_H

#include "grade/grade.h"

enum { CORPUS_GATES = 4, CORPUS_WANTS = 4 };

struct corpus_want {
    char where[8];     // "" = everywhere; "nvcc", "clang", "sim", "gpu"
    char text[200];    // as written
    unsigned verdicts; // a bit for each enum verdict
    bool full, not_started;
    char gates[CORPUS_GATES][64], diagnosis[96]; // alternatives parted by '|'
    size_t gate_count;
    double at_most, at_least;
};

struct corpus_case {
    char path[160];  // from the root of the tree
    char name[96];   // "early-exit/l4-width"
    char family[48]; // "early-exit"
    bool honest;     // of tests/honest
    int lesson;
    bool sim, gpu, nvcc, clang, quick;
    struct corpus_want wants[CORPUS_WANTS];
    size_t want_count;
    char tries[240];
};

struct corpus {
    struct corpus_case *cases; // by name
    size_t count;
};

// Reads both folders below the working folder. PARSE: a source without a line as above; the diagnostic names it.
enum status corpus_read(struct corpus *corpus, struct diagnostic *diagnostic);
void corpus_free(struct corpus *corpus);

// One header line, without its source. PARSE says what is wrong in it.
enum status corpus_header(const char *line, struct corpus_case *entry, struct diagnostic *diagnostic);

bool corpus_uses(const struct corpus_case *entry, const char *compiler, const char *device);
const struct corpus_want *corpus_want_for(const struct corpus_case *entry, const char *compiler, const char *device);
// Whether the report is what the case wants. got always says what it is: "pass 95", "fail 70 (race; gates hazards)".
bool corpus_judge(const struct corpus_want *want, const struct grade_report *report, char *got, size_t size);

#endif
