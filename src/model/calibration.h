// From measured rows to a GPU's profile: a pure function. Which constants come from which rows: calibration.def.
#ifndef BANKSHOT_MODEL_CALIBRATION_H
#define BANKSHOT_MODEL_CALIBRATION_H

#include "base/diagnostic.h"
#include "model/gpus.h"
#include "model/probes.h"
#include "model/replay.h"

struct calibration_row {
    char key[PROBE_KEY]; // "group,name,parameter", as in tests/golden/h200_micro.csv
    double value;
    double spread; // of its runs, as a part of the value
};

// One constant: what it is now, and in the built-in profile that is nearest.
struct calibration_constant {
    const char *name, *unit, *meaning;
    double value, nearest;
    double spread;       // the largest of its rows
    double left;         // of several rows, how far they are from what follows from the constant, as a part
    const char *rows[8]; // keys
    size_t row_count;    // 0: nothing measures it, and value is nearest
};

enum { CALIBRATION_MAX = 64 };
struct calibration {
    struct gpu_profile profile; // its name is the caller's, its constants those below
    struct replay_constants constants;
    struct calibration_constant items[CALIBRATION_MAX];
    size_t count;
};

// facts: what the driver says, and else what is as on the nearest built-in GPU (gpu_profile_nearest). PARSE: a row that
// is needed is not there, or makes no sense; the message names it.
enum status calibration_derive(const struct gpu_profile *facts, const struct calibration_row *rows, size_t count,
                               struct calibration *calibration, struct diagnostic *diagnostic);

#endif
