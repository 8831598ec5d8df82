#include "model/heatmap.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_WORDS = WARP_LANES * 4, LINE_BYTES = 128, LINE_WORDS = 32 };

// The words (byte address / 4) that lanes [first, first + count) want, sorted, each once. Returns how many.
static size_t distinct_words(const struct heatmap_access *access, unsigned first, unsigned count,
                             uint64_t words[MAX_WORDS])
{
    size_t found = 0;
    uint32_t each = access->bytes < BANK_BYTES ? 1 : access->bytes / BANK_BYTES;
    for (unsigned lane = first; lane < first + count && lane < WARP_LANES; lane++) {
        if (!(access->mask >> lane & 1))
            continue;
        for (uint32_t i = 0; i < each; i++) {
            uint64_t word = access->addresses[lane] / BANK_BYTES + i;
            size_t at = found;
            while (at > 0 && words[at - 1] > word)
                at--;
            if (at > 0 && words[at - 1] == word)
                continue;
            for (size_t j = found; j > at; j--)
                words[j] = words[j - 1];
            words[at] = word;
            found++;
        }
    }
    return found;
}

static void count_banks(const struct heatmap_access *access, unsigned first, unsigned count, unsigned hits[BANKS])
{
    uint64_t words[MAX_WORDS];
    size_t found = distinct_words(access, first, count, words);
    for (unsigned bank = 0; bank < BANKS; bank++)
        hits[bank] = 0;
    for (size_t i = 0; i < found; i++)
        hits[words[i] % BANKS]++;
}

static void put_row(const unsigned hits[BANKS], struct text *out)
{
    for (unsigned bank = 0; bank < BANKS; bank++) {
        if (hits[bank])
            text_printf(out, "%2u", hits[bank]);
        else
            text_puts(out, " .");
    }
    text_puts(out, "\n");
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void explain_banks(const struct heatmap_access *access, const unsigned hits[BANKS], struct text *out)
{
    struct bank_cost cost = banks_count(access->kind, access->bytes, access->mask, access->addresses, access->rows);
    unsigned worst = 0, used = 0;
    for (unsigned bank = 0; bank < BANKS; bank++) {
        used += hits[bank] > 0;
        if (hits[bank] > hits[worst])
            worst = bank;
    }
    text_printf(out, "%" PRIu32 " wavefront%s, %" PRIu32 " conflict%s: ", cost.wavefronts, plural(cost.wavefronts),
                cost.conflicts, plural(cost.conflicts));
    if (used == 0)
        text_puts(out, "no lane is active.\n");
    else if (cost.conflicts == 0 && cost.wavefronts > 1)
        text_printf(out, "%" PRIu32 " groups of lanes, one turn each; none waits for another.\n", cost.wavefronts);
    else if (cost.conflicts == 0)
        text_printf(out, "%u bank%s serve%s at once, no lane waits for another.\n", used, plural(used),
                    used == 1 ? "s" : "");
    else if (hits[worst] > 1)
        text_printf(out, "%u words of bank %u are wanted, one a turn.\n", hits[worst], worst);
    else
        text_puts(out, "lanes that want the same word do not share it here.\n");
}

void heatmap_banks(const struct heatmap_access *access, unsigned lanes_per_row, struct text *out)
{
    struct heatmap_access drawn = *access;
    if (access->kind == BANK_MATRIX) {
        drawn.mask = access->rows >= WARP_LANES ? UINT32_MAX : (1u << access->rows) - 1;
        drawn.bytes = 16;
    }
    unsigned hits[BANKS];
    text_puts(out, "  lane  bank 0       4       8      12      16      20      24      28    31\n");
    for (unsigned lane = 0; lane < WARP_LANES; lane += lanes_per_row) {
        count_banks(&drawn, lane, lanes_per_row, hits);
        if (lanes_per_row == 1)
            text_printf(out, "    %2u      ", lane);
        else
            text_printf(out, " %2u-%2u      ", lane, lane + lanes_per_row - 1);
        put_row(hits, out);
    }
    count_banks(&drawn, 0, WARP_LANES, hits);
    text_puts(out, " words      ");
    put_row(hits, out);
    explain_banks(access, hits, out);
}

// ---- global memory

static bool holds(const uint64_t *words, size_t count, uint64_t least, uint64_t most)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] >= least && words[i] <= most)
            return true;
    return false;
}

static void put_line(const uint64_t *words, size_t count, uint64_t line, struct text *out)
{
    uint64_t first = line * LINE_WORDS;
    text_puts(out, " |");
    for (uint64_t word = first; word < first + LINE_WORDS; word++) {
        uint64_t sector = word / 8 * 8;
        bool wanted = holds(words, count, word, word), moved = holds(words, count, sector, sector + 7);
        text_puts(out, wanted ? "#" : moved ? "-" : " ");
        if (word % 8 == 7)
            text_puts(out, "|");
    }
    text_puts(out, "\n");
}

void heatmap_sectors(const struct heatmap_access *access, unsigned rows, struct text *out)
{
    uint64_t words[MAX_WORDS];
    size_t count = distinct_words(access, 0, WARP_LANES, words);
    uint32_t sectors = sectors_count(access->bytes, access->mask, access->addresses);
    size_t lines = 0;
    uint64_t base = count ? words[0] / LINE_WORDS : 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t line = words[i] / LINE_WORDS;
        if (i > 0 && line == words[i - 1] / LINE_WORDS)
            continue;
        if (lines++ < rows) {
            text_printf(out, " %+9" PRId64 " bytes", (int64_t)(line - base) * LINE_BYTES);
            put_line(words, count, line, out);
        }
    }
    if (lines > rows)
        text_printf(out, " … and %zu more rows of 128 bytes\n", lines - rows);
    // Accesses narrower than a word: what is wanted is counted in their own units.
    uint64_t wanted = (uint64_t)count * BANK_BYTES;
    if (access->bytes < BANK_BYTES) {
        wanted = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            bool first = access->mask >> lane & 1;
            for (unsigned before = 0; before < lane && first; before++)
                first = !(access->mask >> before & 1) || access->addresses[before] != access->addresses[lane];
            wanted += first ? access->bytes : 0;
        }
    }
    text_printf(out, "%" PRIu32 " sector%s of 32 bytes: %" PRIu64 " byte%s wanted of %" PRIu32 " moved.\n", sectors,
                plural(sectors), wanted, plural(wanted), sectors * SECTOR_BYTES);
}
