// The log of a replay as JSON and back, for the worker's caller and for files: see docs/machine-interface.md.
#ifndef BANKSHOT_RECORD_REPLAY_JSON_H
#define BANKSHOT_RECORD_REPLAY_JSON_H

#include "base/fields.h"
#include "model/replay_log.h"

extern const struct field_own replay_log_own; // of a struct replay_log
json_t *replay_log_json(const struct replay_log *log); // the caller's reference

#endif
