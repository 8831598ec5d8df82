// Patterns of banks and sectors as rows of text.
#include "record/heatmap.h"

#include <inttypes.h>

#include "record/access.h"

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void put_words(const struct bank_pattern *pattern, uint32_t first, uint32_t count, struct text *out)
{
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        uint32_t words = bank_pattern_words(pattern, first, count, bank);
        if (words)
            text_printf(out, "%2u", words);
        else
            text_puts(out, " .");
    }
    text_puts(out, "\n");
}

void heatmap_banks(const struct bank_access *access, unsigned lanes_per_row, struct text *out)
{
    struct bank_pattern pattern;
    bank_pattern_make(&pattern, access);
    text_puts(out, "  lane  bank 0       4       8      12      16      20      24      28    31\n");
    for (unsigned lane = 0; lane < WARP_LANES; lane += lanes_per_row) {
        if (lanes_per_row == 1)
            text_printf(out, "    %2u      ", lane);
        else
            text_printf(out, " %2u-%2u      ", lane, lane + lanes_per_row - 1);
        put_words(&pattern, lane, lanes_per_row, out);
    }
    text_puts(out, " words      ");
    put_words(&pattern, 0, WARP_LANES, out);
    struct bank_cost cost = pattern.schedule.cost;
    char why[80];
    bank_pattern_explain(&pattern, why, sizeof why);
    text_printf(out, "%" PRIu32 " wavefront%s, %" PRIu32 " conflict%s: %s.\n", cost.wavefronts, plural(cost.wavefronts),
                cost.conflicts, plural(cost.conflicts), why);
}

static void put_line(const struct sector_line *line, struct text *out)
{
    text_puts(out, " |");
    for (uint64_t at = line->address; at < line->address + SECTOR_LINE_BYTES; at += BANK_BYTES) {
        bool moved = sector_line_wants(line, at / SECTOR_BYTES * SECTOR_BYTES, SECTOR_BYTES);
        text_puts(out, sector_line_wants(line, at, BANK_BYTES) ? "#" : moved ? "-" : " ");
        if ((at + BANK_BYTES) % SECTOR_BYTES == 0)
            text_puts(out, "|");
    }
    text_puts(out, "\n");
}

void heatmap_sectors(uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES], unsigned rows,
                     struct text *out)
{
    struct sector_pattern pattern;
    sector_pattern_make(&pattern, bytes, mask, addresses);
    for (size_t i = 0; i < pattern.line_count && i < rows; i++) {
        text_printf(out, " %+9" PRId64 " bytes", (int64_t)(pattern.lines[i].address - pattern.lines[0].address));
        put_line(&pattern.lines[i], out);
    }
    if (pattern.line_count > rows)
        text_printf(out, " … and %zu more rows of 128 bytes\n", pattern.line_count - rows);
    text_printf(out, "%" PRIu32 " sector%s of 32 bytes: %" PRIu64 " byte%s wanted of %" PRIu32 " moved.\n",
                pattern.sectors, plural(pattern.sectors), pattern.wanted, plural(pattern.wanted),
                pattern.sectors * SECTOR_BYTES);
}
