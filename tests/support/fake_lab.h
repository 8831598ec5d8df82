// A lab made up for screen tests: two lessons, and reports of the padding lesson before and after the padding, with
// recordings as the simulator would make them. Nothing is compiled or run.
#ifndef BANKSHOT_TESTS_FAKE_LAB_H
#define BANKSHOT_TESTS_FAKE_LAB_H

#include "ui/app.h"

struct fake_lab {
    struct lesson_set set;
    struct lesson lessons[2];
    struct lesson *items[2];
    struct app app;
    char workspace[32];
    char folder[64], exercise[128], starter[128]; // "" = none
};

enum fake_state {
    FAKE_FRESH,   // nothing run yet
    FAKE_STARTER, // the starter's report: 32-way conflicts, fails
    FAKE_PADDED,  // padded, with the starter's run before it: passes
    FAKE_RACE,    // no barrier, wrong results
    FAKE_BROKEN,  // does not compile; the starter's run before it
    FAKE_GPU,     // padded, measured on a GPU: tests/golden/gpu_report.json
    FAKE_PRODUCT  // the same with the times of a matrix product, beside cuBLAS
};

void fake_lab_open(struct fake_lab *lab, int width, int height, bool ascii, bool mono);
void fake_lab_set(struct fake_lab *lab, enum fake_state state);
// A folder of its own for the exercise, the starter and the progress file; gone with fake_lab_close.
void fake_lab_folder(struct fake_lab *lab);
void fake_lab_close(struct fake_lab *lab);
void fake_lab_write(const char *path, const char *text);
void fake_lab_keys(struct fake_lab *lab, const char *script);
// The screen as text, newly drawn; free() it.
char *fake_lab_screen(struct fake_lab *lab);

#endif
