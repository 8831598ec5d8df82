// The costliest access of the recorded block, drawn as text.
#ifndef BANKSHOT_CLI_PICTURE_H
#define BANKSHOT_CLI_PICTURE_H

#include "base/text.h"
#include "device/device.h"

// Appends a title line and the picture of what access_worst finds, as compiled; nothing when nothing was recorded.
void picture_worst(const struct record *record, struct text *out);

#endif
