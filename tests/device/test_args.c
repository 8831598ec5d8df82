#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/half.h"
#include "base/text.h"
#include "device/args.h"

Suite *suite_args(void);

static const struct {
    const char *spec, *name;
    enum ptx_type type;
    uint64_t bits;
} scalars[] = {
    {"n:s32=256", "n", PTX_S32, 256},
    {"n:s32=-1", "n", PTX_S32, 0xffffffff},
    {"mask:u32=0xff00ff00", "mask", PTX_U32, 0xff00ff00},
    {"c:u8=255", "c", PTX_U8, 255},
    {"c:s8=-128", "c", PTX_S8, 0x80},
    {"h:s16=-2", "h", PTX_S16, 0xfffe},
    {"big:u64=18446744073709551615", "big", PTX_U64, UINT64_MAX},
    {"low:s64=-9223372036854775808", "low", PTX_S64, UINT64_C(1) << 63},
    {"x:f32=1.5", "x", PTX_F32, 0x3fc00000},
    {"x:f32=0.1", "x", PTX_F32, 0x3dcccccd},
    {"x:f32=0x1p-3", "x", PTX_F32, 0x3e000000},
    {"x:f64=-2", "x", PTX_F64, UINT64_C(0xc000000000000000)},
    {"x:f16=1", "x", PTX_F16, 0x3c00},
    {"x:bf16=1", "x", PTX_BF16, 0x3f80},
    {"x:f32=inf", "x", PTX_F32, 0x7f800000},
    {"_a9:u16=7", "_a9", PTX_U16, 7},
};

START_TEST(reads_a_scalar)
{
    struct device_arg arg;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(args_parse(scalars[_i].spec, &arg, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_str_eq(arg.name, scalars[_i].name);
    ck_assert_int_eq(arg.type, scalars[_i].type);
    ck_assert(!arg.is_buffer);
    ck_assert_uint_eq(arg.scalar, scalars[_i].bits);
    args_free(&arg);
}
END_TEST

static const struct {
    const char *spec;
    size_t count;
    const char *values; // all of them, as args_format writes them
} buffers[] = {
    {"a:f32[3]=zero", 3, "0 0 0"},
    {"a:f32[4]=iota", 4, "0 1 2 3"},
    {"a:u8[258]=iota", 258, NULL},
    {"a:s32[2*3]=7", 6, "7 7 7 7 7 7"},
    {"a:s16[3]=-1,0,1", 3, "-1 0 1"},
    {"a:f64[2]=0.1,1e300", 2, "0.10000000000000001 1.0000000000000001e+300"},
    {"a:f32[3]=nan,inf,-inf", 3, "\"NaN\" \"Infinity\" \"-Infinity\""},
    {"a:f32[2]=0.1,16777216", 2, "0.100000001 16777216"},
    {"a:u64[1]=18446744073709551615", 1, "18446744073709551615"},
    {"a:f16[2]=0.333,65504", 2, "0.33301 65504"},
    {"a:bf16[2]=0.333,1", 2, "0.332 1"},
};

static size_t buffer_size(const struct device_arg *arg)
{
    switch (arg->type) {
    case PTX_U8:
        return 1;
    case PTX_S16:
    case PTX_F16:
    case PTX_BF16:
        return 2;
    case PTX_F64:
    case PTX_U64:
        return 8;
    default:
        return 4;
    }
}

START_TEST(fills_a_buffer)
{
    struct device_arg arg;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(args_parse(buffers[_i].spec, &arg, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert(arg.is_buffer);
    ck_assert_uint_eq(arg.count, buffers[_i].count);
    struct text values = {0};
    for (size_t i = 0; buffers[_i].values && i < arg.count; i++) {
        text_puts(&values, i ? " " : "");
        args_format(arg.type, (char *)arg.data + i * buffer_size(&arg), &values);
    }
    if (buffers[_i].values)
        ck_assert_str_eq(text_get(&values), buffers[_i].values);
    else
        ck_assert_uint_eq(((unsigned char *)arg.data)[257], 1);
    text_free(&values);
    args_free(&arg);
}
END_TEST

// Element by element, and from the middle.
START_TEST(elements_made_later_are_those_made_at_once)
{
    struct device_arg now, later;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(args_parse(buffers[_i].spec, &now, &diagnostic), STATUS_OK);
    ck_assert_int_eq(args_parse_later(buffers[_i].spec, &later, &diagnostic), STATUS_OK);
    size_t size = buffer_size(&now);
    bool all_data = strchr(buffers[_i].spec, ',') || strchr(buffers[_i].spec, '@');
    ck_assert_int_eq(later.data != NULL, all_data);
    for (size_t i = 0; later.fill != DEVICE_FILL_DATA && i < now.count; i += 1 + i / 8) {
        uint64_t made[2] = {0}; // two elements, as wide as any
        size_t count = now.count - i < 2 ? now.count - i : 2;
        args_make(&later, i, count, made);
        ck_assert_mem_eq(made, (char *)now.data + i * size, count * size);
    }
    args_free(&now);
    args_free(&later);
}
END_TEST

static const struct {
    const char *spec, *words; // words: must be in the message
} mistakes[] = {
    {"", "is not an argument"},
    {"n", "is not an argument"},
    {"=3", "is not an argument"},
    {":s32=3", "is not an argument"},
    {"3n:s32=3", "is not an argument"},
    {"n:i32=3", "no type 'i32'"},
    {"n:=3", "no type ''"},
    {"s:{f32=1", "'}' is missing"},
    {"s:{f32=1}x", "behind the '}'"},
    {"s:{f32}", "is not a field"},
    {"s:{u8=256}", "does not fit u8"},
    {"p:ptr=3", "is not a place to point to"},
    {"p:ptr[2]=a", "1 places for 2 pointers"},
    {"s:bytes=3", "'=' and a value are missing"},
    {"n:s32", "'=' and a value are missing"},
    {"n:s32=", "a value is missing"},
    {"n:s32=x", "not a whole number"},
    {"n:s32=1.5", "not a whole number"},
    {"n:s32=2147483648", "does not fit s32"},
    {"n:u32=-1", "does not fit u32"},
    {"n:u8=256", "does not fit u8"},
    {"n:s8=-129", "does not fit s8"},
    {"n:f32=one", "not a number"},
    {"a:f32[]=zero", "the count is"},
    {"a:f32[0]=zero", "the count is"},
    {"a:f32[-1]=zero", "the count is"},
    {"a:f32[4*]=zero", "the count is"},
    {"a:f32[99999999999999999999]=zero", "the count is"},
    {"a:f32[4000000000]=zero", "at most 4 GiB"},
    {"a:f32[4", "']=' and a fill"},
    {"a:f32[4]", "']=' and a fill"},
    {"a:f32[4]=", "is not a fill"},
    {"a:f32[4]=ones", "is not a fill"},
    {"a:f32[4]=1,2", "2 values for 4 elements"},
    {"a:f32[4]=1,2,3,x", "not a number"},
    {"a:f32[3]=1,,3", "a value is missing"},
    {"a:f32[4]=random:", "a value is missing"},
    {"a:f32[4]=random:x", "not a whole number"},
    {"a:f32[4]=@/nonexistent/file", "/nonexistent/file"},
    {"a\x1b[31m:f32=1", "\\x1b"},
};

// A struct's bytes in hexadecimal, with its pointers as "@OFFSET TARGET+ADDEND".
static const struct {
    const char *spec, *want;
} structs[] = {
    {"s:{u8=1,u32=2}", "0100000002000000"},
    {"s:{f32=1,f32=2,f32=3}", "0000803f0000004000004040"},
    {"s:{u16=1,u64=2,u8=3}", "0100000000000000"
                             "0200000000000000"
                             "0300000000000000"},
    {"s:{u8=1,{u32=2,u8=3},u8=4}", "0100000002000000"
                                   "0300000004000000"},
    {"s:{s32=-1,ptr=a+16}", "ffffffff00000000"
                            "0000000000000000 @8 a+16"},
    {"s:{u32=1,{ptr=b,ptr=null}}", "0100000000000000"
                                   "0000000000000000"
                                   "0000000000000000 @8 b+0"},
    {"s:bytes[3]=7", "070707"},
    {"s:bytes[4]=1,2,3,255", "010203ff"},
};

START_TEST(lays_out_a_struct_as_c_does)
{
    struct device_arg arg;
    struct diagnostic diagnostic = {0};
    struct text got = {0};
    ck_assert_msg(args_parse(structs[_i].spec, &arg, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert(!arg.is_buffer);
    for (size_t i = 0; i < arg.count; i++)
        text_printf(&got, "%02x", arg.bytes[i]);
    for (size_t i = 0; i < arg.pointer_count; i++)
        text_printf(&got, " @%llu %s+%lld", (unsigned long long)arg.pointers[i].offset, arg.pointers[i].target,
                    (long long)arg.pointers[i].addend);
    ck_assert_str_eq(text_get(&got), structs[_i].want);
    text_free(&got);
    args_free(&arg);
}
END_TEST

START_TEST(says_what_is_wrong_with_a_spec)
{
    struct device_arg arg;
    struct diagnostic diagnostic = {0};
    enum status status = args_parse(mistakes[_i].spec, &arg, &diagnostic);
    ck_assert_int_ne(status, STATUS_OK);
    ck_assert_int_eq(status, diagnostic.code);
    char line[1200];
    diagnostic_format(&diagnostic, line, sizeof line);
    ck_assert_msg(strstr(line, mistakes[_i].words) != NULL, "'%s' gives: %s", mistakes[_i].spec, line);
    ck_assert_ptr_null(strchr(line, '\x1b'));
    ck_assert_ptr_null(arg.data);
}
END_TEST

static struct device_arg parsed(const char *spec)
{
    struct device_arg arg;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(args_parse(spec, &arg, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    return arg;
}

START_TEST(random_depends_on_the_seed_alone)
{
    struct device_arg a = parsed("a:f32[1000]=random:5"), b = parsed("b:f32[1000]=random:5"),
                      c = parsed("c:f32[1000]=random:6"), d = parsed("d:f32[1000]=random"),
                      e = parsed("e:f32[1000]=random");
    ck_assert_mem_eq(a.data, b.data, 4000);
    ck_assert_mem_ne(a.data, c.data, 4000);
    ck_assert_mem_ne(d.data, e.data, 4000);
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        float value = ((float *)a.data)[i];
        ck_assert(value >= -1.0F && value < 1.0F);
        sum += (double)value;
    }
    ck_assert(fabs(sum / 1000) < 0.1);
    args_free(&a), args_free(&b), args_free(&c), args_free(&d), args_free(&e);
}
END_TEST

START_TEST(reads_a_file_of_just_the_right_length)
{
    char path[] = "/tmp/bankshot-args-XXXXXX", spec[64];
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, "\x01\x00\x02\x00\xff\xff", 6), 6);
    close(file);
    snprintf(spec, sizeof spec, "a:s16[3]=@%s", path);
    struct device_arg arg = parsed(spec);
    const int16_t *values = arg.data;
    ck_assert_int_eq(values[0], 1);
    ck_assert_int_eq(values[1], 2);
    ck_assert_int_eq(values[2], -1);
    args_free(&arg);

    struct diagnostic diagnostic = {0};
    snprintf(spec, sizeof spec, "a:s16[4]=@%s", path);
    ck_assert_int_eq(args_parse(spec, &arg, &diagnostic), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "6 bytes; 4 elements of s16 are 8"));
    unlink(path);
}
END_TEST

START_TEST(halves_round_to_nearest_even)
{
    static const struct {
        double value;
        uint16_t half, bfloat;
    } rows[] = {
        {0.0, 0, 0},
        {-0.0, 0x8000, 0x8000},
        {1.0, 0x3c00, 0x3f80},
        {1.0 + 0x1p-11, 0x3c00, 0x3f80}, // half: a tie goes to even
        {1.0 + 3 * 0x1p-11, 0x3c02, 0x3f80},
        {1.0 + 0x1p-11 + 0x1p-40, 0x3c01, 0x3f80}, // just above the tie: no double rounding
        {1.0 + 0x1p-8, 0x3c04, 0x3f80},
        {1.0 + 3 * 0x1p-8, 0x3c0c, 0x3f82},
        {65504.0, 0x7bff, 0x4780},
        {65519.99, 0x7bff, 0x4780},
        {65520.0, 0x7c00, 0x4780},
        {0x1p-24, 0x0001, 0x3380}, // half: the smallest subnormal
        {0x1p-25, 0x0000, 0x3300},
        {0x1.8p-25, 0x0001, 0x3340},
        {0x1.ff8p-15, 0x03ff, 0x3880},
        {0x1.ffcp-15, 0x0400, 0x3880}, // rounds up into the normal numbers
        {1e39, 0x7c00, 0x7f80},
        {INFINITY, 0x7c00, 0x7f80},
        {-INFINITY, 0xfc00, 0xff80},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(f16_from_f64(rows[i].value, ROUND_NEAREST) == rows[i].half, "half of %a is %04x", rows[i].value,
                      f16_from_f64(rows[i].value, ROUND_NEAREST));
        ck_assert_msg(bf16_from_f64(rows[i].value, ROUND_NEAREST) == rows[i].bfloat, "bfloat of %a is %04x",
                      rows[i].value, bf16_from_f64(rows[i].value, ROUND_NEAREST));
    }
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        if ((bits & 0x7fff) <= 0x7c00)
            ck_assert_uint_eq(f16_from_f32(f16_to_f32(bits)), bits);
        if ((bits & 0x7fff) <= 0x7f80)
            ck_assert_uint_eq(bf16_from_f32(bf16_to_f32(bits)), bits);
    }
    ck_assert(isnan(f16_to_f32(f16_from_f64(NAN, ROUND_NEAREST))) &&
              isnan(bf16_to_f32(bf16_from_f64(NAN, ROUND_NEAREST))));
}
END_TEST

static const struct {
    const char *spec, *wrong; // NULL: nothing
} maps[] = {
    {"m:tmap(f32[64*48],of=a,box=32*8,swizzle=128)", NULL},
    {"m:tmap(f32[64*48],of=a,box=64*8,swizzle=0)", NULL},
    {"m:tmap(bf16[5*4*3*2*1],of=a+16,box=8*1*2*1*1,strides=16*64*192*384,estrides=1*1*2*1*1,fill=nan,l2=256,"
     "interleave=none)",
     NULL},
    {"m:tmap(u8[4294967296],of=a,box=256)", NULL},
    {"m:tmap(of=a,box=32)", "the elements are missing"},
    {"m:tmap(f32[64],box=32)", "of=BUFFER is missing"},
    {"m:tmap(f32[64*48],of=a,box=32)", "box= takes as many sizes as the elements have"},
    {"m:tmap(f32[64*48],of=a,box=32*8,strides=256*4)", "strides= takes one number of bytes less"},
    {"m:tmap(f32[64*48],of=a,box=32*8,estrides=1)", "estrides= takes as many numbers"},
    {"m:tmap(f32[64*48],of=a,box=32*8", "nothing more is wanted behind the map"},
    {"m:tmap(f32[64*48],of=a,box=32*8,swizzle=48)", "'swizzle=48' is nothing a tensor map has"},
    {"m:tmap(f32[64*48],of=a,box=32*8,interleave=16)", "'interleave=16' is nothing a tensor map has"},
    {"m:tmap(f32[1*1*1*1*1*1],of=a,box=4)", "'f32[1*1*1*1*1*1]' is nothing a tensor map has"},
    {"m:tmap(f32[64*0],of=a,box=32*8)", "dims[1] is 0: 1 to 2^32 elements"},
    {"m:tmap(f32[4294967297],of=a,box=32)", "dims[0] is 4294967297"},
    {"m:tmap(f32[64*48],of=a,box=32*257)", "box[1] is 257: 1 to 256 elements"},
    {"m:tmap(f32[64*48],of=a,box=32*8,estrides=1*9)", "estrides[1] is 9: 1 to 8"},
    {"m:tmap(f32[63*48],of=a,box=32*8)", "strides[0] is 252 bytes: a multiple of 16 below 2^40"},
    {"m:tmap(f32[64*48],of=a,box=32*8,strides=1099511627776)", "a multiple of 16 below 2^40"},
    {"m:tmap(f32[64*48],of=a,box=30*8)", "rows of the box are 120 bytes"},
    {"m:tmap(f32[64*48],of=a,box=32*8,swizzle=64)", "rows of the box are 128 bytes, more than the swizzle's 64"},
    {"m:tmap(f32[64*48],of=a+8,box=32*8)", "its base is not aligned to 16 bytes"},
    {"m:tmap(s32[64*48],of=a,box=32*8,fill=nan)", "NaN fills only floating-point elements"},
    {"m:tmap(u8[256*256*8],of=a,box=256*256*8)",
     "its box is 524288 bytes, more than the 233472 of a block's shared memory"},
};

START_TEST(a_tensor_map_keeps_the_drivers_rules)
{
    struct device_arg arg;
    struct diagnostic diagnostic = {0};
    enum status status = args_parse(maps[_i].spec, &arg, &diagnostic);
    ck_assert_msg((status == STATUS_OK) == !maps[_i].wrong, "%s", diagnostic.message);
    if (maps[_i].wrong) {
        ck_assert_msg(strstr(diagnostic.message, maps[_i].wrong) != NULL, "%s", diagnostic.message);
        return;
    }
    ck_assert(arg.is_tensor_map && arg.count == 128 && arg.pointer_count == 1 && !strcmp(arg.pointers[0].target, "a"));
    args_free(&arg);
}
END_TEST

Suite *suite_args(void)
{
    Suite *suite = suite_create("args");
    TCase *tests = tcase_create("args");
    tcase_add_loop_test(tests, reads_a_scalar, 0, sizeof scalars / sizeof *scalars);
    tcase_add_loop_test(tests, elements_made_later_are_those_made_at_once, 0, sizeof buffers / sizeof *buffers);
    tcase_add_loop_test(tests, fills_a_buffer, 0, sizeof buffers / sizeof *buffers);
    tcase_add_loop_test(tests, lays_out_a_struct_as_c_does, 0, sizeof structs / sizeof *structs);
    tcase_add_loop_test(tests, says_what_is_wrong_with_a_spec, 0, sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(tests, a_tensor_map_keeps_the_drivers_rules, 0, sizeof maps / sizeof *maps);
    tcase_add_test(tests, random_depends_on_the_seed_alone);
    tcase_add_test(tests, reads_a_file_of_just_the_right_length);
    tcase_add_test(tests, halves_round_to_nearest_even);
    suite_add_tcase(suite, tests);
    return suite;
}
