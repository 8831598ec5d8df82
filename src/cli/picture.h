// The costliest access of the recorded block, drawn as text.
#ifndef BANKSHOT_CLI_PICTURE_H
#define BANKSHOT_CLI_PICTURE_H

#include "base/text.h"
#include "device/device.h"

// Appends a title line and the picture of the shared load or store that conflicts most, or of the global one that touches
// most sectors where there is no shared one; nothing when the record holds neither.
void picture_worst(const struct record *record, struct text *out);

#endif
