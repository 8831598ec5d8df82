// Fingerprints of hand-ins, and the pairs that share many of them.
#include "course/similar.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "toolchain/plain.h"

struct print {
    uint64_t hash;
    uint32_t lines[2]; // first and last
    uint32_t at;       // number of its first token
};

struct hand_in {
    struct print *prints; // in the order of the source
    size_t count;
    struct print *sorted; // one of each hash, the first
    size_t distinct, own; // own: without the common ones
    size_t like;
};

struct similarity {
    struct map kept;  // names that stay as they are; no values
    struct map given; // runs; no values
    struct hand_in *hand_ins;
    size_t count, capacity;
};

struct symbols { // a source's tokens
    uint64_t *hashes;
    uint32_t *lines;
    size_t count, hash_capacity, line_capacity;
};

// Names that say what happens, which nobody can rename. Types and qualifiers are left out: another one is no other
// idea.
static const char *const kept_names[] = {
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "template",
    "struct",
    "class",
    "union",
    "enum",
    "operator",
    "sizeof",
    "new",
    "delete",
    "asm",
    "__asm__",
    "static_cast",
    "reinterpret_cast",
    "__global__",
    "__device__",
    "__shared__",
    "__constant__",
    "__syncthreads",
    "__syncwarp",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "__cvta_generic_to_shared",
    "__shfl_sync",
    "__shfl_xor_sync",
    "__shfl_down_sync",
    "__shfl_up_sync",
    "atomicAdd",
    "__pipeline_memcpy_async",
    "__pipeline_commit",
    "__pipeline_wait_prior",
    "__half2",
    "half2",
    "float2",
    "float4",
    "int4",
    "LAUNCH",
};

struct similarity *similar_new(void)
{
    struct similarity *similarity = mem_alloc(sizeof *similarity);
    similarity->given = map_of(char);
    similarity->kept = map_of(char);
    for (size_t i = 0; i < sizeof kept_names / sizeof *kept_names; i++)
        map_add_bytes(&similarity->kept, kept_names[i], strlen(kept_names[i]), NULL);
    return similarity;
}

void similar_free(struct similarity *similarity)
{
    for (size_t i = 0; similarity && i < similarity->count; i++) {
        free(similarity->hand_ins[i].prints);
        free(similarity->hand_ins[i].sorted);
    }
    if (similarity) {
        map_free(&similarity->kept);
        map_free(&similarity->given);
        free(similarity->hand_ins);
    }
    free(similarity);
}

// ---- from bytes to runs

enum { A_NAME = 1, A_LITERAL };

static uint64_t symbol_of(const struct map *kept, const struct source_token *token)
{
    char byte = *token->start;
    bool is_number = (byte >= '0' && byte <= '9') ||
                     (byte == '.' && token->length > 1 && token->start[1] != '.' && token->start[1] != '*');
    if (is_number || token->start[token->length - 1] == '"' || byte == '"' || byte == '\'')
        return A_LITERAL;
    if (source_is_name_byte(byte) && !map_find_bytes(kept, token->start, token->length))
        return A_NAME;
    return map_hash(MAP_HASH_START, token->start, token->length);
}

// Every directive but #define is the compiler's business, not the author's idea.
static void pass_directive(struct source_scanner *scanner)
{
    struct source_scanner ahead = *scanner;
    struct source_token name = source_next_token(&ahead);
    if (name.length == 6 && memcmp(name.start, "define", 6) == 0) {
        *scanner = ahead;
        return;
    }
    while (scanner->in_directive)
        source_next_token(scanner);
}

static void add_symbol(struct symbols *symbols, uint64_t symbol, uint32_t line)
{
    if (symbol == A_NAME && symbols->count && symbols->hashes[symbols->count - 1] == A_NAME)
        return;
    size_t line_count = symbols->count;
    *mem_append(symbols->lines, symbols->line_capacity, line_count) = line;
    *mem_append(symbols->hashes, symbols->hash_capacity, symbols->count) = symbol;
}

static void read_symbols(struct symbols *symbols, const struct map *kept, const char *plain)
{
    struct source_scanner scanner = source_scan(plain);
    const char *counted = plain;
    uint32_t line = 1;
    for (;;) {
        struct source_token token = source_next_token(&scanner);
        if (!token.length)
            return;
        bool is_directive = scanner.in_directive && *token.start == '#' && token.length == 1;
        if (is_directive)
            pass_directive(&scanner);
        if (is_directive || strchr("{}\n", *token.start))
            continue;
        for (; counted < token.start; counted++)
            line += *counted == '\n';
        add_symbol(symbols, symbol_of(kept, &token), line);
    }
}

// False: a part is missing.
static bool tokenise(struct symbols *symbols, const struct map *kept, const char *bytes, size_t length)
{
    struct text clean = {0}, plain = {0};
    bool fits = length <= SIMILAR_MOST_BYTES;
    text_append(&clean, bytes, fits ? length : SIMILAR_MOST_BYTES);
    for (size_t i = 0; i < clean.length; i++) // a compiler passes over it
        if (!clean.data[i])
            clean.data[i] = ' ';
    bool is_whole = source_make_plain(&plain, text_get(&clean), clean.length);
    read_symbols(symbols, kept, text_get(&plain));
    text_free(&clean);
    text_free(&plain);
    return fits && is_whole;
}

static void free_symbols(struct symbols *symbols)
{
    free(symbols->hashes);
    free(symbols->lines);
}

// In place of each symbol the run that begins there; returns how many there are. A run's hash rolls on from the one
// before: without the symbol that leaves it, with the one that comes.
static size_t roll(struct symbols *symbols)
{
    const uint64_t base = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t top = 1, hash = 0;
    size_t count = symbols->count < SIMILAR_RUN ? 0 : symbols->count - SIMILAR_RUN + 1;
    for (int i = 1; i < SIMILAR_RUN; i++)
        top *= base;
    for (size_t i = 0; count && i < SIMILAR_RUN; i++)
        hash = hash * base + symbols->hashes[i];
    for (size_t i = 0; i < count; i++) {
        uint64_t leaves = symbols->hashes[i], mixed = (hash ^ hash >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
        symbols->hashes[i] = mixed ^ mixed >> 29;
        if (i + 1 < count)
            hash = (hash - leaves * top) * base + symbols->hashes[i + SIMILAR_RUN];
    }
    return count;
}

void similar_give(struct similarity *similarity, const char *bytes, size_t length)
{
    struct symbols symbols = {0};
    tokenise(&symbols, &similarity->kept, bytes, length);
    size_t count = roll(&symbols);
    for (size_t i = 0; i < count; i++)
        map_add(&similarity->given, symbols.hashes[i], NULL);
    free_symbols(&symbols);
}

static int by_hash(const void *a, const void *b)
{
    const struct print *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return left->at < right->at ? -1 : left->at > right->at;
}

static void sort_prints(struct hand_in *hand_in)
{
    size_t kept = 0;
    hand_in->sorted = mem_alloc((hand_in->count + 1) * sizeof *hand_in->sorted);
    if (hand_in->count == 0)
        return;
    memcpy(hand_in->sorted, hand_in->prints, hand_in->count * sizeof *hand_in->sorted);
    qsort(hand_in->sorted, hand_in->count, sizeof *hand_in->sorted, by_hash);
    for (size_t i = 0; i < hand_in->count; i++)
        if (kept == 0 || hand_in->sorted[kept - 1].hash != hand_in->sorted[i].hash)
            hand_in->sorted[kept++] = hand_in->sorted[i];
    hand_in->distinct = kept;
}

// Of each window the least run that was not given to all, and of equal ones the last.
static void winnow(const struct map *given, struct symbols *symbols, struct hand_in *hand_in)
{
    size_t count = roll(symbols), capacity = 0, windows = count > SIMILAR_WINDOW ? count - SIMILAR_WINDOW + 1 : 1;
    const uint64_t *runs = symbols->hashes;
    bool *is_own = mem_alloc(count + 1);
    for (size_t i = 0; i < count; i++)
        is_own[i] = !map_find(given, runs[i]);
    for (size_t i = 0, last = SIZE_MAX; i < windows; i++) {
        size_t least = SIZE_MAX;
        for (size_t j = i; j < count && j < i + SIMILAR_WINDOW; j++)
            if (is_own[j] && (least == SIZE_MAX || runs[j] <= runs[least]))
                least = j;
        if (least != SIZE_MAX && least != last)
            *mem_append(hand_in->prints, capacity, hand_in->count) = (struct print){
                runs[least], {symbols->lines[least], symbols->lines[least + SIMILAR_RUN - 1]}, (uint32_t)least};
        last = least;
    }
    free(is_own);
    sort_prints(hand_in);
}

bool similar_add(struct similarity *similarity, const char *bytes, size_t length)
{
    struct symbols symbols = {0};
    bool is_whole = tokenise(&symbols, &similarity->kept, bytes, length);
    struct hand_in *hand_in = mem_append(similarity->hand_ins, similarity->capacity, similarity->count);
    *hand_in = (struct hand_in){0};
    winnow(&similarity->given, &symbols, hand_in);
    free_symbols(&symbols);
    return is_whole;
}

// ---- who shares what

struct posting { // a run, and who has it
    uint64_t hash;
    uint32_t hand_in;
};

struct index {
    struct posting *postings; // by run, then by hand-in
    size_t count, common;
    size_t most; // hand-ins of a run that counts
    struct map places;
};

struct place { // of a run, in the postings
    size_t first, count;
};

static int by_run(const void *a, const void *b)
{
    const struct posting *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return left->hand_in < right->hand_in ? -1 : left->hand_in > right->hand_in;
}

// Those whose own runs are the same are one from here on, so that many copies of one source do not make it common.
static size_t find_like(struct similarity *similarity)
{
    struct map firsts = map_of(size_t);
    for (size_t i = 0; i < similarity->count; i++) {
        struct hand_in *hand_in = &similarity->hand_ins[i];
        uint64_t key = MAP_HASH_START;
        for (size_t j = 0; j < hand_in->distinct; j++)
            key = map_hash(key, &hand_in->sorted[j].hash, sizeof hand_in->sorted[j].hash);
        bool fresh;
        size_t *first = map_add(&firsts, key, &fresh);
        *first = fresh ? i : *first;
        hand_in->like = hand_in->distinct ? *first : i;
    }
    size_t count = firsts.count;
    map_free(&firsts);
    return count;
}

static void index_runs(struct index *index, const struct similarity *similarity)
{
    size_t capacity = 0;
    for (size_t i = 0; i < similarity->count; i++)
        for (size_t j = 0; similarity->hand_ins[i].like == i && j < similarity->hand_ins[i].distinct; j++)
            *mem_append(index->postings, capacity, index->count) =
                (struct posting){similarity->hand_ins[i].sorted[j].hash, (uint32_t)i};
    if (index->count)
        qsort(index->postings, index->count, sizeof *index->postings, by_run);
    for (size_t i = 0; i < index->count;) {
        struct place *place = map_add(&index->places, index->postings[i].hash, NULL);
        *place = (struct place){i, 0};
        while (i < index->count && index->postings[i].hash == index->postings[place->first].hash)
            i++;
        place->count = i - place->first;
        index->common += place->count > index->most;
    }
}

static const struct place *find_place(const struct index *index, uint64_t hash)
{
    const struct place *place = map_find(&index->places, hash);
    return place && place->count <= index->most ? place : NULL;
}

static void count_own(const struct index *index, struct similarity *similarity)
{
    for (size_t i = 0; i < similarity->count; i++) {
        struct hand_in *hand_in = &similarity->hand_ins[i];
        hand_in->own = 0;
        for (size_t j = 0; hand_in->like == i && j < hand_in->distinct; j++)
            hand_in->own += find_place(index, hand_in->sorted[j].hash) != NULL;
    }
}

static void add_pair(struct similar_result *result, size_t *capacity, const struct similarity *similarity, size_t left,
                     size_t right, size_t shared)
{
    size_t own[] = {similarity->hand_ins[left].own, similarity->hand_ins[right].own};
    size_t shorter = own[0] < own[1] ? own[0] : own[1];
    if (shared >= SIMILAR_LEAST && shared * 100 >= shorter * SIMILAR_PERCENT)
        *mem_append(result->pairs, *capacity, result->found) =
            (struct similar_pair){.hand_ins = {left, right}, .shared = shared, .own = {own[0], own[1]}};
}

static void find_pairs(const struct index *index, const struct similarity *similarity, struct similar_result *result)
{
    size_t capacity = 0;
    uint32_t *shared = mem_alloc((similarity->count + 1) * sizeof *shared);
    bool *has_like = mem_alloc(similarity->count + 1);
    for (size_t i = 0; i < similarity->count; i++)
        has_like[similarity->hand_ins[i].like] |= similarity->hand_ins[i].like != i;
    for (size_t left = 0; left < similarity->count; left++) {
        const struct hand_in *hand_in = &similarity->hand_ins[left];
        if (hand_in->like != left)
            continue;
        memset(shared, 0, (similarity->count + 1) * sizeof *shared);
        for (size_t i = 0; i < hand_in->distinct; i++) {
            const struct place *place = find_place(index, hand_in->sorted[i].hash);
            for (size_t j = 0; place && j < place->count; j++)
                shared[index->postings[place->first + j].hand_in]++;
        }
        for (size_t right = has_like[left] ? left : left + 1; right < similarity->count; right++)
            if (shared[right])
                add_pair(result, &capacity, similarity, left, right, shared[right]);
    }
    free(shared);
    free(has_like);
}

// What a pair shares, times the share that it is of the shorter one's own.
static int by_likeness(const void *a, const void *b)
{
    const struct similar_pair *left = a, *right = b;
    size_t left_own = left->own[0] < left->own[1] ? left->own[0] : left->own[1];
    size_t right_own = right->own[0] < right->own[1] ? right->own[0] : right->own[1];
    size_t left_weight = left->shared * left->shared * right_own;
    size_t right_weight = right->shared * right->shared * left_own;
    if (left_weight != right_weight)
        return left_weight > right_weight ? -1 : 1;
    if (left->shared != right->shared)
        return left->shared > right->shared ? -1 : 1;
    size_t places[] = {left->hand_ins[0], right->hand_ins[0], left->hand_ins[1], right->hand_ins[1]};
    int first = places[0] < places[1] ? -1 : places[0] > places[1];
    return first ? first : places[2] < places[3] ? -1 : places[2] > places[3];
}

// ---- where

// From one run to the next of the same passage: tokens on the other side, lines on either.
enum { NEAR = SIMILAR_RUN + SIMILAR_WINDOW, NEAR_LINES = 2 };

static size_t first_behind(const struct hand_in *hand_in, uint32_t at)
{
    size_t low = 0, high = hand_in->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hand_in->prints[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The run on the other side that continues the passage that came to `after`; else its first.
static const struct print *find_other(const struct hand_in *other, uint64_t hash, uint32_t after)
{
    size_t low = 0, high = other->distinct;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (other->sorted[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == other->distinct || other->sorted[low].hash != hash)
        return NULL;
    for (size_t i = first_behind(other, after); i < other->count && other->prints[i].at <= after + NEAR; i++)
        if (other->prints[i].hash == hash)
            return &other->prints[i];
    return &other->sorted[low];
}

static void cover_lines(uint32_t lines[2], const uint32_t more[2])
{
    lines[0] = more[0] < lines[0] ? more[0] : lines[0];
    lines[1] = more[1] > lines[1] ? more[1] : lines[1];
}

static void find_passages(const struct index *index, const struct hand_in *left, const struct hand_in *right,
                          struct similar_pair *pair)
{
    size_t capacity = 0;
    uint32_t after = 0;
    for (size_t i = 0; i < left->count; i++) {
        const struct print *own = &left->prints[i];
        const struct print *other = find_place(index, own->hash) ? find_other(right, own->hash, after) : NULL;
        if (!other)
            continue;
        struct similar_passage *last = pair->passage_count ? &pair->passages[pair->passage_count - 1] : NULL;
        bool goes_on = last && own->lines[0] <= last->lines[0][1] + NEAR_LINES && other->at > after &&
                       other->lines[0] <= last->lines[1][1] + NEAR_LINES;
        if (goes_on) {
            cover_lines(last->lines[0], own->lines);
            cover_lines(last->lines[1], other->lines);
        } else {
            *mem_append(pair->passages, capacity, pair->passage_count) =
                (struct similar_passage){{{own->lines[0], own->lines[1]}, {other->lines[0], other->lines[1]}}};
        }
        after = other->at;
    }
}

void similar_find(struct similarity *similarity, size_t most, struct similar_result *result)
{
    *result = (struct similar_result){0};
    struct index index = {.places = map_of(struct place)};
    size_t quarter = find_like(similarity) / 4;
    index.most = quarter > SIMILAR_COMMON ? quarter : SIMILAR_COMMON;
    index_runs(&index, similarity);
    count_own(&index, similarity);
    find_pairs(&index, similarity, result);
    result->common = index.common;
    if (result->found)
        qsort(result->pairs, result->found, sizeof *result->pairs, by_likeness);
    result->pair_count = result->found < most ? result->found : most;
    for (size_t i = 0; i < result->pair_count; i++) {
        struct similar_pair *pair = &result->pairs[i];
        find_passages(&index, &similarity->hand_ins[pair->hand_ins[0]], &similarity->hand_ins[pair->hand_ins[1]], pair);
    }
    free(index.postings);
    map_free(&index.places);
}

void similar_result_free(struct similar_result *result)
{
    for (size_t i = 0; i < result->pair_count; i++)
        free(result->pairs[i].passages);
    free(result->pairs);
    *result = (struct similar_result){0};
}

size_t similar_like(const struct similarity *similarity, size_t hand_in)
{
    return similarity->hand_ins[hand_in].like;
}
