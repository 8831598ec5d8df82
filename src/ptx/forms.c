// What opcodes and types are, by opcodes.def: names, groups, sizes, and the forms of every opcode, which types and
// words it takes together.
#include "ptx/forms.h"

#include <string.h>

#include "base/text.h"

// Sets of types: a bit for each, above them the most that may be written less one, and whether none may be.
enum { TYPES_MORE = 60, TYPES_MAYBE = 62 };
_Static_assert((int)PTX_TYPE_COUNT < (int)TYPES_MORE, "a set of types has a bit for each");
#define T(name) (UINT64_C(1) << PTX_##name)
#define INTS_8 (T(U8) | T(S8))
#define INTS_16 (T(U16) | T(S16))
#define INTS_32 (T(U32) | T(S32))
#define INTS_64 (T(U64) | T(S64))
#define INTS_32_64 (INTS_32 | INTS_64)
#define INTS (INTS_16 | INTS_32_64)
#define INTS_8_64 (INTS_8 | INTS)
#define SIGNED (T(S16) | T(S32) | T(S64))
#define UNSIGNED (T(U16) | T(U32) | T(U64))
#define BITS_32_64 (T(B32) | T(B64))
#define BITS (BITS_32_64 | T(B16))
#define PAIRS (T(U16X2) | T(S16X2))
#define FLOATS (T(F32) | T(F64))
#define HALF (T(F16) | T(F16X2))
#define BRAIN (T(BF16) | T(BF16X2))
#define HALVES (HALF | BRAIN)
#define BYTES_X2 (T(E4M3X2) | T(E5M2X2))
#define SMALL_X2 (T(E2M3X2) | T(E3M2X2))
#define STORABLE (BITS | INTS_8_64 | FLOATS | T(B8) | T(B128))
#define SET_NUMBERS (INTS_32 | T(F32) | T(F16) | T(BF16))
#define ANY ((UINT64_C(1) << PTX_TYPE_COUNT) - 1 - T(TYPE_NONE))
#define NO_TYPE (UINT64_C(1) << TYPES_MAYBE)
#define MANY(set) ((set) | UINT64_C(3) << TYPES_MORE)

// Sets of words.
#define ROUND "rn|rz|rm|rp"
#define INTEGRAL "rni|rzi|rmi|rpi"
#define SIGNED_RELATIONS "!#eq|ne|lt|le|gt|ge"
#define UNSIGNED_RELATIONS SIGNED_RELATIONS "|lo|ls|hi|hs"
#define FLOAT_RELATIONS SIGNED_RELATIONS "|equ|neu|ltu|leu|gtu|geu|num|nan"
#define SHARED "shared|shared::cta|shared::cluster"
#define PARAM "param|param::entry|param::func"
#define SPACES "global|local|const|" SHARED "|" PARAM
#define VECTOR "v2|v4|v8"
#define SCOPE "cta|cluster|gpu|sys"
#define EVICT_L1 "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"
#define STORE_HINTS "L2::evict_last|L2::evict_normal|L2::evict_first L2::cache_hint"
#define PREFETCH "L2::64B|L2::128B|L2::256B"
#define HINTS PREFETCH " " STORE_HINTS
#define ATOM_SPACES "L2::cache_hint ^" SHARED " ^global"
#define ATOM_WORDS "relaxed|acquire|release|acq_rel " SCOPE " " ATOM_SPACES
#define CAS_WORDS "relaxed|acquire|release|acq_rel " SCOPE " global|" SHARED
#define RED_WORDS "relaxed|release " SCOPE " " ATOM_SPACES
#define TEXTURES "#1d|2d|3d|a1d|a2d|cube|acube"
#define DIMENSIONS "1d|2d|3d|4d|5d" // of a tensor map
#define SURFACES "#1d|2d|3d|a1d|a2d"
#define IMAGE_QUERIES "#width|height|depth"
#define MMA_SHAPES "m8n8k4|m8n8k16|m8n8k32|m8n8k128|m16n8k4|m16n8k8|m16n8k16|m16n8k32|m16n8k64|m16n8k128|m16n8k256"
#define WMMA_SHAPES "m16n16k16|m32n8k16|m8n32k16|m16n16k8|m8n8k4|m8n8k32|m8n8k128"
// m64nNkK of wgmma: N goes by eights; that of integers by sixteens from 32 on.
#define WGMMA_N(n, k) "m64n" n "k" k
#define WGMMA_SMALL(k) WGMMA_N("8", k) "|" WGMMA_N("16", k) "|" WGMMA_N("24", k)
#define WGMMA_FOUR(a, b, c, d, k) "|" WGMMA_N(a, k) "|" WGMMA_N(b, k) "|" WGMMA_N(c, k) "|" WGMMA_N(d, k)
#define WGMMA_INTEGERS(k)                                                                                              \
    WGMMA_SMALL(k)                                                                                                     \
    WGMMA_FOUR("32", "48", "64", "80", k)                                                                              \
    WGMMA_FOUR("96", "112", "128", "144", k)                                                                           \
    WGMMA_FOUR("160", "176", "192", "208", k) "|" WGMMA_N("224", k) "|" WGMMA_N("240", k) "|" WGMMA_N("256", k)
#define WGMMA_SHAPES(k)                                                                                                \
    WGMMA_INTEGERS(k)                                                                                                  \
    WGMMA_FOUR("40", "56", "72", "88", k)                                                                              \
    WGMMA_FOUR("104", "120", "136", "152", k)                                                                          \
    WGMMA_FOUR("168", "184", "200", "216", k) "|" WGMMA_N("232", k) "|" WGMMA_N("248", k)

#define F(types, words, operands, handler) {types, 0, words, operands},
#define F2(types, second, words, operands, handler) {types, second, words, operands},
#define X(name, text, group, summary, ...) static const struct ptx_form forms_##name[] = {__VA_ARGS__};
#include "ptx/opcodes.def"
#undef X

static const struct {
    const char *name, *summary;
    const struct ptx_form *forms;
    enum ptx_group group;
    uint8_t form_count;
} opcodes[PTX_OP_COUNT] = {
    [PTX_OP_INVALID] = {"", "", NULL, PTX_GROUP_MISC, 0},
#define X(name, text, group, summary, ...)                                                                             \
    [PTX_OP_##name] = {text, summary, forms_##name, PTX_GROUP_##group, sizeof forms_##name / sizeof *forms_##name},
#include "ptx/opcodes.def"
#undef X
};

static const struct {
    const char *name;
    unsigned size;
} types[PTX_TYPE_COUNT] = {
    [PTX_TYPE_NONE] = {"", 0},    [PTX_PRED] = {"pred", 0},     [PTX_B8] = {"b8", 1},
    [PTX_B16] = {"b16", 2},       [PTX_B32] = {"b32", 4},       [PTX_B64] = {"b64", 8},
    [PTX_B128] = {"b128", 16},    [PTX_U8] = {"u8", 1},         [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4},       [PTX_U64] = {"u64", 8},       [PTX_S8] = {"s8", 1},
    [PTX_S16] = {"s16", 2},       [PTX_S32] = {"s32", 4},       [PTX_S64] = {"s64", 8},
    [PTX_F16] = {"f16", 2},       [PTX_F16X2] = {"f16x2", 4},   [PTX_BF16] = {"bf16", 2},
    [PTX_BF16X2] = {"bf16x2", 4}, [PTX_TF32] = {"tf32", 4},     [PTX_F32] = {"f32", 4},
    [PTX_F64] = {"f64", 8},       [PTX_U16X2] = {"u16x2", 4},   [PTX_S16X2] = {"s16x2", 4},
    [PTX_F32X2] = {"f32x2", 8},   [PTX_E4M3] = {"e4m3", 1},     [PTX_E5M2] = {"e5m2", 1},
    [PTX_E4M3X2] = {"e4m3x2", 2}, [PTX_E5M2X2] = {"e5m2x2", 2}, [PTX_S4] = {"s4", 0},
    [PTX_U4] = {"u4", 0},         [PTX_B1] = {"b1", 0},         [PTX_E2M1X2] = {"e2m1x2", 1},
    [PTX_E2M3X2] = {"e2m3x2", 2}, [PTX_E3M2X2] = {"e3m2x2", 2}, [PTX_UE8M0X2] = {"ue8m0x2", 2},
};

const char *ptx_opcode_name(enum ptx_opcode op)
{
    return (unsigned)op < PTX_OP_COUNT ? opcodes[op].name : "";
}

const char *ptx_opcode_summary(enum ptx_opcode op)
{
    return (unsigned)op < PTX_OP_COUNT ? opcodes[op].summary : "";
}

bool ptx_has(const struct ptx_inst *inst, enum ptx_modifier modifier)
{
    for (unsigned i = 0; i < inst->modifier_count; i++)
        if (inst->modifiers[i] == modifier)
            return true;
    return false;
}

bool ptx_orders(const struct ptx_inst *inst)
{
    return text_starts(ptx_opcode_name(inst->op), "mbarrier.arrive") || inst->op == PTX_OP_FENCE ||
           inst->op == PTX_OP_MEMBAR || ptx_has(inst, PTX_MOD_ACQUIRE) || ptx_has(inst, PTX_MOD_RELEASE) ||
           ptx_has(inst, PTX_MOD_ACQ_REL);
}

bool ptx_is_block_barrier(enum ptx_opcode op)
{
    return op >= PTX_OP_BAR_SYNC && op <= PTX_OP_BARRIER_CTA_RED;
}

enum ptx_group ptx_opcode_group(enum ptx_opcode op)
{
    return (unsigned)op < PTX_OP_COUNT ? opcodes[op].group : PTX_GROUP_MISC;
}

bool ptx_only_computes(enum ptx_opcode op)
{
    return ptx_opcode_group(op) <= PTX_GROUP_MOVE;
}

const char *ptx_type_name(enum ptx_type type)
{
    return (unsigned)type < PTX_TYPE_COUNT ? types[type].name : "";
}

unsigned ptx_type_size(enum ptx_type type)
{
    return (unsigned)type < PTX_TYPE_COUNT ? types[type].size : 0;
}

// ---- operands

static void count_operands(const struct ptx_form *form, unsigned *least, unsigned *most)
{
    *least = *most = 0;
    for (const char *at = form->operands; *at; at++) {
        *least += *at != '?' && *at != '_' && *at != '|' && *at != '*';
        *least -= *at == '?';
        *most += *at == '*' ? PTX_MOST_OPERANDS : *at != '?' && *at != '_' && *at != '|';
    }
}

void ptx_opcode_operands(enum ptx_opcode op, unsigned *least, unsigned *most)
{
    *least = PTX_MOST_OPERANDS;
    *most = 0;
    for (unsigned i = 0; i < opcodes[op].form_count; i++) {
        unsigned low, high;
        count_operands(&opcodes[op].forms[i], &low, &high);
        *least = low < *least ? low : *least;
        *most = high > *most ? high : *most;
    }
}

// ---- types

static bool types_fit(const struct ptx_form *form, const struct ptx_inst *inst)
{
    unsigned most = form->second ? 2 : 1 + (unsigned)(form->types >> TYPES_MORE & 3);
    if (inst->type_count == 0)
        return form->types >> TYPES_MAYBE & 1;
    if (inst->type_count > most || (form->second && inst->type_count < 2))
        return false;
    for (unsigned i = 0; i < inst->type_count; i++)
        if (!((i && form->second ? form->second : form->types) >> inst->types[i] & 1))
            return false;
    return true;
}

bool ptx_form_takes_type(enum ptx_opcode op, enum ptx_type type, unsigned before)
{
    for (unsigned i = 0; i < opcodes[op].form_count; i++) {
        const struct ptx_form *form = &opcodes[op].forms[i];
        uint64_t set = before && form->second ? form->second : form->types;
        if (set >> type & 1 && before <= (form->second ? 1 : form->types >> TYPES_MORE & 3))
            return true;
    }
    return false;
}

// ---- words

// One group of a form's words as written: "!#up|down|bfly|idx".
struct word_group {
    const char *start, *end;
    bool must, follows, excludes, behind, chooses;
};

static bool next_group(const char **at, struct word_group *group)
{
    *group = (struct word_group){0};
    *at += **at == ' ';
    for (; **at && strchr("!&^>#", **at); ++*at) {
        group->must |= **at == '!';
        group->follows |= **at == '&';
        group->excludes |= **at == '^';
        group->behind |= **at == '>';
        group->chooses |= **at == '#';
    }
    group->start = *at;
    *at = strchrnul(*at, ' ');
    group->end = *at;
    return group->end > group->start;
}

void ptx_forms_words(void (*visit)(const char *text, size_t length))
{
    const char *before = NULL;
    for (unsigned op = 0; op < PTX_OP_COUNT; op++)
        for (unsigned i = 0; i < opcodes[op].form_count; before = opcodes[op].forms[i++].words) {
            if (opcodes[op].forms[i].words == before) // as most forms that follow one another
                continue;
            for (const char *at = opcodes[op].forms[i].words; *(at += strspn(at, " !&^>#|*"));) {
                size_t length = strcspn(at, " |");
                visit(at, length);
                at += length;
            }
        }
}

// The place of a word in its group, or -1.
static int place_in_group(const struct word_group *group, const struct ptx_text *word)
{
    int place = 0;
    for (const char *at = group->start; at; place++) {
        const char *next = memchr(at, '|', (size_t)(group->end - at));
        size_t length = (size_t)((next ? next : group->end) - at);
        if (length == word->length && !memcmp(at, word->text, length))
            return place;
        at = next ? next + 1 : NULL;
    }
    return -1;
}

// How far an instruction's words go with a form.
struct word_fit {
    uint32_t placed;          // bit i: word i stands in a group of its own
    struct word_group missed; // must be there and is not
    int choice;
};

static bool words_fit(const struct ptx_form *form, const struct ptx_words_written *words, struct word_fit *fit)
{
    const char *at = form->words;
    struct word_group group;
    bool was_there = false;
    unsigned last = 0;
    *fit = (struct word_fit){0};
    while (next_group(&at, &group)) {
        bool is_there = group.start[0] == '*';
        for (unsigned i = 0; i < words->count && !is_there; i++) {
            int place = fit->placed >> i & 1 ? -1 : place_in_group(&group, &words->items[i]);
            if (place < 0 || (group.behind && i < last))
                continue;
            last = i;
            fit->placed |= 1u << i;
            fit->choice = group.chooses ? place + !group.must : fit->choice;
            is_there = true;
        }
        if (group.start[0] == '*')
            fit->placed = (1u << words->count) - 1;
        if (!is_there && (group.must || (group.follows && was_there)) && !fit->missed.start)
            fit->missed = group;
        if (is_there && ((group.follows && !was_there) || (group.excludes && was_there)))
            fit->placed &= ~(1u << last);
        was_there = is_there;
    }
    return fit->placed == (1u << words->count) - 1 && !fit->missed.start;
}

bool ptx_form_counts(const struct ptx_inst *inst, unsigned operands)
{
    unsigned least, most;
    count_operands(&opcodes[inst->op].forms[inst->form], &least, &most);
    return operands >= least && operands <= most;
}

enum ptx_fit ptx_form_find(struct ptx_inst *inst, const struct ptx_words_written *words, unsigned operands)
{
    enum ptx_fit result = PTX_FIT_TYPES;
    for (unsigned i = 0; i < opcodes[inst->op].form_count; i++) {
        const struct ptx_form *form = &opcodes[inst->op].forms[i];
        struct word_fit fit;
        if (!types_fit(form, inst))
            continue;
        if (!words_fit(form, words, &fit)) {
            result = result == PTX_FIT_TYPES ? PTX_FIT_WORDS : result;
            continue;
        }
        result = PTX_FIT_OPERANDS;
        inst->form = (uint8_t)i;
        inst->choice = (uint8_t)fit.choice;
        if (operands == PTX_ANY_OPERANDS || ptx_form_counts(inst, operands))
            return PTX_FIT;
    }
    return result;
}

// Adds a group's words to those that one of the forms misses.
static void miss(struct ptx_words_written *missed, const struct word_group *group)
{
    for (const char *at = group->start; at < group->end && missed->count < PTX_MOST_WORDS;) {
        struct ptx_text word = {at, strcspn(at, "| ")};
        bool is_new = true;
        for (unsigned i = 0; i < missed->count; i++)
            is_new &= missed->items[i].length != word.length || memcmp(missed->items[i].text, at, word.length);
        if (is_new)
            missed->items[missed->count++] = word;
        at += word.length + 1;
    }
}

unsigned ptx_form_misfit(const struct ptx_inst *inst, const struct ptx_words_written *words, struct text *why)
{
    struct ptx_words_written missed = {.count = 0};
    uint32_t placed = 0;
    int most = -1;
    for (unsigned i = 0; i < opcodes[inst->op].form_count; i++) {
        const struct ptx_form *form = &opcodes[inst->op].forms[i];
        struct word_fit fit;
        if (!types_fit(form, inst))
            continue;
        words_fit(form, words, &fit);
        int fitting = __builtin_popcount(fit.placed);
        if (fitting > most) {
            most = fitting;
            placed = fit.placed;
            missed.count = 0;
        }
        if (fitting == most && fit.missed.start)
            miss(&missed, &fit.missed);
    }
    unsigned wrong = (unsigned)__builtin_ctz(~placed);
    text_printf(why, "'%s", opcodes[inst->op].name);
    for (unsigned i = 0; i < words->count; i++)
        if (placed >> i & 1)
            text_printf(why, ".%.*s", (int)words->items[i].length, words->items[i].text);
    for (unsigned i = 0; i < inst->type_count; i++)
        text_printf(why, ".%s", ptx_type_name(inst->types[i]));
    if (wrong < words->count) {
        text_printf(why, "' does not take '.%.*s'", (int)words->items[wrong].length, words->items[wrong].text);
        return wrong;
    }
    text_puts(why, "' needs ");
    for (unsigned i = 0; i < missed.count; i++)
        text_printf(why, "%s.%.*s",
                    !i                     ? ""
                    : i + 1 < missed.count ? ", "
                                           : " or ",
                    (int)missed.items[i].length, missed.items[i].text);
    return words->count;
}
