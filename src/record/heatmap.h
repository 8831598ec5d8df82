// One warp instruction as a picture in plain text, 80 columns wide, without colour: which banks of shared memory the
// lanes hit, or which sectors of global memory they touch.
#ifndef BANKSHOT_RECORD_HEATMAP_H
#define BANKSHOT_RECORD_HEATMAP_H

#include "base/text.h"
#include "model/banks.h"

// Rows of lanes_per_row lanes (1, 2, 4 …) by 32 banks. A cell counts the distinct words of that bank that the lanes of
// its row want; '.' is none. The last row counts them for the whole warp, a sentence below gives cost and cause.
void heatmap_banks(const struct bank_access *access, unsigned lanes_per_row, struct text *out);

// Rows of 128 bytes, 32 words each in four sectors: '#' wanted, '-' moved along with a wanted one, ' ' not moved. At
// most `rows` rows are drawn. The sentence below gives sectors, and bytes wanted of bytes moved.
void heatmap_sectors(uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES], unsigned rows,
                     struct text *out);

#endif
