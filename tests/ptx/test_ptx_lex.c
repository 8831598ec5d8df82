#include <check.h>
#include <string.h>

#include "ptx/lex.h"

Suite *suite_ptx_lex(void);

static const struct {
    const char *text;
    unsigned kind;
    uint64_t bits;
    bool is_unsigned;
} literals[] = {
    {"0", PTX_TOKEN_INTEGER, 0, false},
    {"42", PTX_TOKEN_INTEGER, 42, false},
    {"42U", PTX_TOKEN_INTEGER, 42, true},
    {"0x1F", PTX_TOKEN_INTEGER, 31, false},
    {"0Xffffffffffffffff", PTX_TOKEN_INTEGER, UINT64_MAX, true},
    {"0x10U", PTX_TOKEN_INTEGER, 16, true},
    {"0755", PTX_TOKEN_INTEGER, 0755, false},
    {"0b1011", PTX_TOKEN_INTEGER, 11, false},
    {"0b1U", PTX_TOKEN_INTEGER, 1, true},
    {"18446744073709551615", PTX_TOKEN_INTEGER, UINT64_MAX, true},
    {"9223372036854775807", PTX_TOKEN_INTEGER, INT64_MAX, false},
    {"0f3F800000", PTX_TOKEN_SINGLE, 0x3f800000, false},
    {"0F7fc00000", PTX_TOKEN_SINGLE, 0x7fc00000, false},
    {"0d3FF0000000000000", PTX_TOKEN_DOUBLE, UINT64_C(0x3ff0000000000000), false},
    {"1.0", PTX_TOKEN_DOUBLE, UINT64_C(0x3ff0000000000000), false},
    {"2.", PTX_TOKEN_DOUBLE, UINT64_C(0x4000000000000000), false},
    {"1e3", PTX_TOKEN_DOUBLE, UINT64_C(0x408f400000000000), false},
    {"25e-2", PTX_TOKEN_DOUBLE, UINT64_C(0x3fd0000000000000), false},
    {"0.5", PTX_TOKEN_DOUBLE, UINT64_C(0x3fe0000000000000), false},
    {"18446744073709551616", PTX_TOKEN_BAD, 0, false},
    {"08", PTX_TOKEN_BAD, 0, false},
    {"0x", PTX_TOKEN_BAD, 0, false},
    {"0b2", PTX_TOKEN_BAD, 0, false},
    {"12ab", PTX_TOKEN_BAD, 0, false},
    {"0f3F8", PTX_TOKEN_BAD, 0, false},
    {"0f3F8000001", PTX_TOKEN_BAD, 0, false},
    {"0d3FF", PTX_TOKEN_BAD, 0, false},
    {"1e+", PTX_TOKEN_BAD, 0, false},
    {"0.0000000000000000000000000000000000000000000000000000000000000001", PTX_TOKEN_BAD, 0, false},
};

START_TEST(a_literal_has_its_value)
{
    struct ptx_lexer lexer;
    struct ptx_token token, end;
    const char *text = literals[_i].text;
    ptx_lex_start(&lexer, text, strlen(text));
    ptx_lex(&lexer, &token);
    ptx_lex(&lexer, &end);
    ck_assert_uint_eq(token.kind, literals[_i].kind);
    ck_assert_uint_eq(token.length, strlen(text));
    ck_assert_uint_eq(end.kind, PTX_TOKEN_END);
    if (token.kind == PTX_TOKEN_BAD) {
        ck_assert_ptr_nonnull(token.problem);
        return;
    }
    ck_assert(token.bits == literals[_i].bits);
    ck_assert_int_eq(token.is_unsigned, literals[_i].is_unsigned);
}
END_TEST

static const struct {
    const char *text;
    unsigned kinds[12];
} sequences[] = {
    {"  ", {0}},
    {"%r1, _ $L__BB0_1", {PTX_TOKEN_NAME, ',', PTX_TOKEN_NAME, PTX_TOKEN_NAME}},
    {"7 % 3 %r", {PTX_TOKEN_INTEGER, '%', PTX_TOKEN_INTEGER, PTX_TOKEN_NAME}},
    {".shared::cta .L2::128B .v4", {PTX_TOKEN_WORD, PTX_TOKEN_WORD, PTX_TOKEN_WORD}},
    {"%tid.x", {PTX_TOKEN_NAME, PTX_TOKEN_WORD}},
    {"L: ret", {PTX_TOKEN_NAME, ':', PTX_TOKEN_NAME}},
    {"a // b\n c", {PTX_TOKEN_NAME, PTX_TOKEN_NAME}},
    {"a /* b\n */ c", {PTX_TOKEN_NAME, PTX_TOKEN_NAME}},
    {"a /* b", {PTX_TOKEN_NAME, PTX_TOKEN_BAD}},
    {"<< >> <= >= == != && || ! < |",
     {PTX_TOKEN_SHIFT_LEFT, PTX_TOKEN_SHIFT_RIGHT, PTX_TOKEN_LESS_EQUAL, PTX_TOKEN_GREATER_EQUAL, PTX_TOKEN_EQUAL,
      PTX_TOKEN_NOT_EQUAL, PTX_TOKEN_AND, PTX_TOKEN_OR, '!', '<', '|'}},
    {"\"a \\\" b\" x", {PTX_TOKEN_STRING, PTX_TOKEN_NAME}},
    {"\"a\n", {PTX_TOKEN_BAD}},
    {"{}()[]@;", {'{', '}', '(', ')', '[', ']', '@', ';'}},
    {"\x80", {PTX_TOKEN_BAD}},
};

START_TEST(text_falls_into_tokens)
{
    struct ptx_lexer lexer;
    struct ptx_token token;
    ptx_lex_start(&lexer, sequences[_i].text, strlen(sequences[_i].text));
    for (size_t i = 0; i < 12; i++) {
        ptx_lex(&lexer, &token);
        ck_assert_uint_eq(token.kind, sequences[_i].kinds[i]);
        if (token.kind == PTX_TOKEN_END)
            return;
    }
}
END_TEST

START_TEST(tokens_know_their_place)
{
    static const char text[] = "a\n\t.b /* x\ny */ c";
    static const struct {
        uint32_t line, column, length;
    } places[] = {{1, 1, 1}, {2, 2, 2}, {3, 6, 1}};
    struct ptx_lexer lexer;
    struct ptx_token token;
    ptx_lex_start(&lexer, text, sizeof text - 1);
    for (size_t i = 0; i < 3; i++) {
        ptx_lex(&lexer, &token);
        ck_assert_uint_eq(token.line, places[i].line);
        ck_assert_uint_eq(token.column, places[i].column);
        ck_assert_uint_eq(token.length, places[i].length);
    }
}
END_TEST

static const struct {
    const char *text, *opcode;
} opcodes[] = {
    {"ld.global.L1::no_allocate.f32 %f1", "ld.global.L1::no_allocate.f32"},
    {"ret;", "ret"},
    {"call\n (x)", "call"},
    {"mov.u32%r", "mov.u32"},
    {"bar.sync\t0", "bar.sync"},
    {"ld. x", "ld"},
};

START_TEST(an_opcode_reaches_over_its_words)
{
    struct ptx_lexer lexer;
    struct ptx_token token;
    ptx_lex_start(&lexer, opcodes[_i].text, strlen(opcodes[_i].text));
    ptx_lex(&lexer, &token);
    ptx_lex_at_colon(&lexer); // as the parser does first
    ptx_lex_opcode(&lexer, &token);
    ck_assert_uint_eq(token.length, strlen(opcodes[_i].opcode));
    ck_assert(!strncmp(token.text, opcodes[_i].opcode, token.length));
}
END_TEST

Suite *suite_ptx_lex(void)
{
    Suite *suite = suite_create("ptx_lex");
    TCase *tokens = tcase_create("tokens");
    tcase_add_loop_test(tokens, a_literal_has_its_value, 0, sizeof literals / sizeof *literals);
    tcase_add_loop_test(tokens, text_falls_into_tokens, 0, sizeof sequences / sizeof *sequences);
    tcase_add_test(tokens, tokens_know_their_place);
    tcase_add_loop_test(tokens, an_opcode_reaches_over_its_words, 0, sizeof opcodes / sizeof *opcodes);
    suite_add_tcase(suite, tokens);
    return suite;
}
