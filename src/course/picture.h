// Pictures of a hand-in as SVG inside a page, for people who look and people who listen: each has a title and a
// description, and nothing is told by colour alone. The colours are classes of the page's style (site.c): w0 … w5 by
// how many words wait at a bank, s0 … by what a warp does.
#ifndef BANKSHOT_COURSE_PICTURE_H
#define BANKSHOT_COURSE_PICTURE_H

#include "base/text.h"
#include "device/device.h"
#include "model/replay_log.h"

enum { PICTURE_SCORES = 11 }; // by tens, 100 alone

// id: of the picture, one of its own in the page. The costliest access of the recorded block, on the banks or on the
// sectors. False: none was recorded.
bool picture_access(const struct record *record, const char *id, struct text *out);
// What the warps of an SM's first block did, and how busy the pipes were; under it what the colours mean, with each
// one's share. False: nothing was replayed.
bool picture_timeline(const struct replay_log *log, const char *id, struct text *out);
// How many hand-ins have 0 to 9, 10 to 19 … points, and how many 100.
void picture_scores(const unsigned scores[PICTURE_SCORES], const char *id, struct text *out);

#endif
