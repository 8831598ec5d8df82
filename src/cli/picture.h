// The shared access of the recorded block that conflicts most, drawn as text.
#ifndef BANKSHOT_CLI_PICTURE_H
#define BANKSHOT_CLI_PICTURE_H

#include "base/text.h"
#include "device/device.h"

// Appends a title line and the heatmap; nothing when the record holds no load from or store to shared memory.
void picture_worst(const struct record *record, struct text *out);

#endif
