// The kernels that measure a GPU, and how each is launched.
#include "model/probes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"

// ---- the kernels

#define X4(text) text text text text
#define X16(text) X4(X4(text))
#define X16_OF(each)                                                                                                   \
    each("0") each("1") each("2") each("3") each("4") each("5") each("6") each("7") each("8") each("9") each("10")     \
        each("11") each("12") each("13") each("14") each("15")
#define X8_OF(each) each("0") each("1") each("2") each("3") each("4") each("5") each("6") each("7")

// %d0 … %d4: big, out, clocks, x, y. %r0 … %r5: thread, block, threads, blocks, lane, place in the grid. Memory: tile.
#define KERNEL(name, body)                                                                                             \
    ".visible .entry " name "(.param .u64 big, .param .u64 out, .param .u64 clocks, .param .u64 x, .param .u64 y)\n"   \
    "{\n"                                                                                                              \
    "  .reg .pred %p<8>; .reg .b32 %r<40>; .reg .f32 %f<16>, %v<16>; .reg .b64 %d<40>;\n"                              \
    "  ld.param.u64 %d0, [big]; ld.param.u64 %d1, [out]; ld.param.u64 %d2, [clocks];\n"                                \
    "  ld.param.u64 %d3, [x]; ld.param.u64 %d4, [y];\n"                                                                \
    "  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %nctaid.x;\n"                    \
    "  and.b32 %r4, %r0, 31; mad.lo.u32 %r5, %r1, %r2, %r0;\n" body "  ret;\n}\n"
#define BEGIN "  mov.u64 %d5, %clock64;\n"
// Warps of block 0 tell when they began and ended; %f0 or %r10, so that nothing is in vain.
#define END(kind, value)                                                                                               \
    "  mov.u64 %d6, %clock64;\n"                                                                                       \
    "  shr.u32 %r6, %r0, 5; mul.wide.u32 %d7, %r6, 16; add.u64 %d7, %d2, %d7;\n"                                       \
    "  or.b32 %r7, %r4, %r1; setp.eq.u32 %p7, %r7, 0; @%p7 st.global.v2.u64 [%d7], {%d5, %d6};\n"                      \
    "  mul.wide.u32 %d8, %r0, 4; add.u64 %d8, %d1, %d8; st.global." kind " [%d8], " value ";\n"
#define REPEAT(times, body)                                                                                            \
    "  mov.u32 %r9, 0;\nagain:\n" body "  add.u32 %r9, %r9, 1; setp.lt.u32 %p6, %r9, " times "; @%p6 bra again;\n"
// Fills 4096 words of the tile by what %r12 makes of the word's number, %r11.
#define FILL(words, make)                                                                                              \
    "  .shared .align 16 .b8 tile[16384];\n"                                                                           \
    "  mov.u32 %r8, tile; mov.u32 %r11, %r0;\n"                                                                        \
    "fill:\n  setp.ge.u32 %p0, %r11, " words "; @%p0 bra filled;\n"                                                    \
    "  " make " shl.b32 %r13, %r11, 2; add.u32 %r13, %r13, %r8; st.shared.u32 [%r13], %r12;\n"                         \
    "  add.u32 %r11, %r11, %r2; bra fill;\nfilled:\n  bar.sync 0;\n"

#define LOAD_SHARED(u) "  ld.volatile.shared.f32 %v" u ", [%r14+128*" u "];\n"
#define LOAD_L1(u) "  ld.global.ca.f32 %v" u ", [%d9+128*" u "];\n"
#define ADD_UP(u) "  add.f32 %f0, %f0, %v" u ";\n"
#define LOAD_STREAM(u)                                                                                                 \
    "  mad.lo.u64 %d10, %d9, " u ", %d8; setp.lt.u64 %p1, %d10, %d3; mov.f32 %v" u ", 0f00000000;\n"                   \
    "  shl.b64 %d10, %d10, 2; add.u64 %d10, %d10, %d0; @%p1 ld.global.f32 %v" u ", [%d10];\n"
#define GATHER(u)                                                                                                      \
    "  add.u32 %r11, %r10, " u "; mul.lo.u32 %r11, %r11, 2654435761; and.b32 %r11, %r11, %r12;\n"                      \
    "  mul.wide.u32 %d10, %r11, 4; add.u64 %d10, %d10, %d0; ld.global.cg.f32 %v" u ", [%d10];\n"
#define CHASE "  mul.wide.u32 %d8, %r10, 4; add.u64 %d8, %d8, %d0; ld.global.u32 %r10, [%d8];\n"

#define SHARED_ATOMIC(name, atomic)                                                                                    \
    KERNEL(name, FILL("1024", "mov.u32 %r12, 0;") "  mov.u32 %r10, 0; cvt.u32.u64 %r15, %d3; rem.u32 %r14, %r0, "      \
                                                  "%r15; shl.b32 %r14, %r14, 2;\n"                                     \
                                                  "  add.u32 %r14, %r14, %r8;\n" BEGIN REPEAT(                         \
                                                      "256", "  " atomic "\n") "  bar.sync 0;\n" END("u32", "%r10"))
// Up to 32 words: neighbours' words, one further each time. More: at random.
#define GLOBAL_ATOMIC(name, atomic)                                                                                    \
    KERNEL(name, "  cvt.u32.u64 %r15, %d3; mul.lo.u32 %r10, %r5, 2654435761; setp.le.u32 %p1, %r15, 32;\n"             \
                 "  mov.u32 %r12, 40503; @%p1 mov.u32 %r12, 1; @%p1 mov.u32 %r10, %r0;\n" REPEAT(                      \
                     "8", "  rem.u32 %r11, %r10, %r15; mul.wide.u32 %d8, %r11, 4; add.u64 %d8, %d8, %d0;\n"            \
                          "  " atomic " add.u32 %r10, %r10, %r12;\n"))
// Threads 32x32: %r10 = column, %r11 = row, %r12 = n; block 32 %r15, 32 %r16.
#define PIXEL                                                                                                          \
    "  mov.u32 %r14, %tid.y; mov.u32 %r16, %ctaid.y; cvt.u32.u64 %r12, %d3;\n"                                         \
    "  shl.b32 %r15, %r1, 5; shl.b32 %r16, %r16, 5; add.u32 %r10, %r15, %r0; add.u32 %r11, %r16, %r14;\n"              \
    "  mad.lo.u32 %r17, %r11, %r12, %r10; mul.wide.u32 %d8, %r17, 4; add.u64 %d8, %d8, %d0;\n"                         \
    "  ld.global.f32 %f0, [%d8]; add.u64 %d9, %d0, 536870912;\n"

static const char kernels[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
    // as those of tests/kernels/micro.cu: a comparison, and the end
    KERNEL("probe_empty", "  setp.ne.u32 %p0, %r1, 0xffffffff; @%p0 bra done;\n"
                          "  st.global.u32 [%d1], %r0;\ndone:\n")
        KERNEL("probe_spin",
               BEGIN "again:\n  mov.u64 %d7, %clock64; sub.u64 %d8, %d7, %d5; setp.lt.u64 %p0, %d8, %d3;\n"
                     "  @%p0 bra again;\n" END("u32", "%r0"))
            KERNEL("probe_barriers", "  bar.sync 0;\n" BEGIN REPEAT("16", X16("  bar.sync 0;\n")) END("u32", "%r0"))
    // each word holds the address of the next
    KERNEL("probe_shared_chase",
           FILL("1024", "add.u32 %r12, %r11, 1; and.b32 %r12, %r12, 1023; shl.b32 %r12, %r12, 2; "
                        "add.u32 %r12, %r12, %r8;") "  shl.b32 %r10, %r0, 2; add.u32 %r10, %r10, %r8;\n" BEGIN
               REPEAT("32", X16("  ld.volatile.shared.u32 %r10, [%r10];\n")) END("u32", "%r10"))
        KERNEL(
            "probe_shared_loads",
            FILL("4096",
                 "mov.u32 %r12, %r11;") "  cvt.u32.u64 %r15, %d3; mul.lo.u32 %r15, %r15, %r4; shl.b32 %r15, %r15, 2;\n"
                                        "  add.u32 %r15, %r15, %r8; mov.f32 %f0, 0f00000000;\n" BEGIN REPEAT(
                                            "64", "  and.b32 %r14, %r9, 1; shl.b32 %r14, %r14, 13;\n"
                                                  "  add.u32 %r14, %r14, %r15;\n" X16_OF(LOAD_SHARED) X16_OF(ADD_UP))
                                            END("f32", "%f0"))
    // y is 0, which ptxas does not know: the loads stay in the loop
    KERNEL("probe_l1_loads",
           "  mul.wide.u32 %d9, %r4, 4; add.u64 %d9, %d9, %d0; mov.f32 %f0, 0f00000000;\n" X16_OF(LOAD_L1) X16_OF(
               ADD_UP) "  bar.sync 0;\n" BEGIN REPEAT("64", X16_OF(LOAD_L1) X16_OF(ADD_UP) "  add.u64 %d9, %d9, %d4;\n")
               END("f32", "%f0"))
    // word i leads to word i + x of y
    KERNEL("probe_chain", "  cvt.u32.u64 %r10, %d3; cvt.u32.u64 %r11, %d4; mul.lo.u32 %r12, %r2, %r3;\n"
                          "more:\n  setp.ge.u32 %p0, %r5, %r11; @%p0 bra done;\n"
                          "  add.u32 %r13, %r5, %r10; rem.u32 %r13, %r13, %r11;\n"
                          "  mul.wide.u32 %d8, %r5, 4; add.u64 %d8, %d8, %d0; st.global.u32 [%d8], %r13;\n"
                          "  add.u32 %r5, %r5, %r12; bra more;\ndone:\n")
        KERNEL("probe_chase", "  mov.u32 %r10, 0;\n" X16(CHASE) BEGIN REPEAT("125", X16(CHASE)) END("u32", "%r10"))
    // x floats, or as many groups of four
    KERNEL("probe_stream", "  mul.wide.u32 %d9, %r2, %r3; cvt.u64.u32 %d8, %r5; mov.f32 %f0, 0f00000000;\n"
                           "more:\n  setp.ge.u64 %p0, %d8, %d3; @%p0 bra done;\n" X8_OF(LOAD_STREAM)
                               X8_OF(ADD_UP) "  mad.lo.u64 %d8, %d9, 8, %d8; bra more;\ndone:\n"
                                             "  setp.eq.f32 %p0, %f0, 0f71000000; @%p0 st.global.f32 [%d1], %f0;\n")
        KERNEL("probe_stream4", "  mul.wide.u32 %d9, %r2, %r3; cvt.u64.u32 %d8, %r5; mov.f32 %f0, 0f00000000;\n"
                                "more:\n  setp.ge.u64 %p0, %d8, %d3; @%p0 bra done;\n"
                                "  shl.b64 %d10, %d8, 4; add.u64 %d10, %d10, %d0;\n"
                                "  ld.global.v4.f32 {%f10, %f11, %f12, %f13}, [%d10];\n"
                                "  add.f32 %f10, %f10, %f11; add.f32 %f12, %f12, %f13; add.f32 %f10, %f10, %f12;\n"
                                "  add.f32 %f0, %f0, %f10; add.u64 %d8, %d8, %d9; bra more;\ndone:\n"
                                "  setp.eq.f32 %p0, %f0, 0f71000000; @%p0 st.global.f32 [%d1], %f0;\n")
    // x: what the index is masked with
    KERNEL("probe_gather",
           "  shl.b32 %r10, %r5, 4; cvt.u32.u64 %r12, %d3; mov.f32 %f0, 0f00000000;\n" X16_OF(GATHER)
               X16_OF(ADD_UP) "  and.b32 %r11, %r5, 0xfffff; mul.wide.u32 %d8, %r11, 4; add.u64 %d8, %d8, %d1;\n"
                              "  st.global.f32 [%d8], %f0;\n")
        SHARED_ATOMIC("probe_shared_add_f32", "atom.shared.add.f32 %f0, [%r14], 0f3F800000;")
            SHARED_ATOMIC("probe_shared_swap", "atom.shared.cas.b32 %r11, [%r14], 1, 2; add.u32 %r10, %r10, %r11;")
                GLOBAL_ATOMIC("probe_global_add", "red.global.add.u32 [%d8], 1;")
                    GLOBAL_ATOMIC("probe_global_add_f32", "red.global.add.f32 [%d8], 0f3F800000;")
    // ---- checks, from the first half of the big buffer to the second
    KERNEL("check_copy", "  mul.wide.u32 %d8, %r5, 4; add.u64 %d8, %d8, %d0; ld.global.f32 %f0, [%d8];\n"
                         "  st.global.f32 [%d8+536870912], %f0;\n")
        KERNEL("check_transpose", PIXEL "  mad.lo.u32 %r17, %r10, %r12, %r11; mul.wide.u32 %d8, %r17, 4;\n"
                                        "  add.u64 %d8, %d8, %d9; st.global.f32 [%d8], %f0;\n")
    // y: words of a row of the tile
    KERNEL("check_tile", "  .shared .align 16 .b8 tile[4224];\n" PIXEL
                         "  cvt.u32.u64 %r18, %d4; mov.u32 %r8, tile; mad.lo.u32 %r19, %r14, %r18, %r0;\n"
                         "  shl.b32 %r19, %r19, 2; add.u32 %r19, %r19, %r8; st.shared.f32 [%r19], %f0;\n"
                         "  mad.lo.u32 %r20, %r0, %r18, %r14; shl.b32 %r20, %r20, 2; add.u32 %r20, %r20, %r8;\n"
                         "  bar.sync 0; ld.shared.f32 %f0, [%r20];\n"
                         "  add.u32 %r15, %r15, %r14; add.u32 %r16, %r16, %r0; mad.lo.u32 %r17, %r15, %r12, %r16;\n"
                         "  mul.wide.u32 %d8, %r17, 4; add.u64 %d8, %d8, %d9; st.global.f32 [%d8], %f0;\n");

const char *probes_ptx(void)
{
    return kernels;
}

// ---- how each is launched

struct probe_list {
    struct probe *probes;
    size_t count;
};

__attribute__((format(printf, 3, 4))) static void add_probe(struct probe_list *list, struct probe probe,
                                                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(probe.key, sizeof probe.key, format, arguments);
    va_end(arguments);
    for (int i = 0; i < 2; i++) {
        probe.grid[i] = probe.grid[i] ? probe.grid[i] : 1;
        probe.block[i] = probe.block[i] ? probe.block[i] : 1;
    }
    if (list->count < PROBES_MAX)
        list->probes[list->count++] = probe;
}

static void add_blocks_and_barriers(struct probe_list *list, const struct gpu_profile *gpu)
{
    add_probe(list,
              (struct probe){"probe_spin", .grid = {gpu->sms}, .block = {256}, .x = 20000000, .unit = PROBE_CLOCK},
              "clock,every SM busy,MHz");
    for (uint32_t threads = 128; threads <= 1024; threads *= 8)
        for (uint32_t blocks = 1 << 17; blocks <= 1 << 20; blocks *= 8)
            add_probe(list, (struct probe){"probe_empty", .grid = {blocks}, .block = {threads}, .unit = PROBE_TIME},
                      "blocks,empty,%u blocks of %u", blocks, threads);
    for (uint32_t warps = 1; warps <= 32; warps *= 2)
        add_probe(
            list,
            (struct probe){"probe_barriers", .grid = {1}, .block = {32 * warps}, .unit = PROBE_CYCLES, .work = 256},
            "barrier,one block on the SM,%u warps", warps);
    uint32_t each = gpu->warps / 4;
    add_probe(
        list,
        (struct probe){"probe_barriers", .grid = {gpu->sms * each}, .block = {128}, .unit = PROBE_CYCLES, .work = 256},
        "barrier,full SM,4 warps a block and %u blocks", each);
}

static void add_one_sm(struct probe_list *list)
{
    add_probe(list, (struct probe){"probe_l1_loads", .block = {1024}, .unit = PROBE_CYCLES, .work = 1024.0 * 32},
              "l1,hits at a word offset of 0,32 warps");
    add_probe(list, (struct probe){"probe_shared_chase", .block = {32}, .unit = PROBE_CYCLES, .work = 512},
              "shared,load latency,dependent");
    add_probe(list, (struct probe){"probe_shared_loads", .block = {32}, .x = 32, .unit = PROBE_CYCLES, .work = 1024},
              "shared,loads at a stride of 32 words,1 warps");
    add_probe(list, (struct probe){"probe_shared_swap", .block = {1024}, .x = 32, .unit = PROBE_CYCLES, .work = 8192},
              "shared atomic,compare and swap,32 addresses and 32 warps");
    for (uint32_t warps = 1; warps <= 32; warps *= 32)
        add_probe(list,
                  (struct probe){"probe_shared_add_f32", .block = {32 * warps}, .x = 32, .unit = PROBE_CYCLES,
                                 .work = 256.0 * warps},
                  "shared atomic,float add without result,32 addresses and %u warps", warps);
}

static void add_latencies(struct probe_list *list, const struct gpu_profile *gpu)
{
    static const uint64_t kilobytes[] = {16, 1024, 524288};
    for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++) {
        uint64_t words = kilobytes[i] * 256, step = words / 4096 * 8 + 8;
        bool is_dram = kilobytes[i] > 65536;
        add_probe(list,
                  (struct probe){"probe_chain", .grid = {gpu->sms * 8}, .block = {256}, .x = step, .y = words,
                                 .unit = PROBE_NOTHING},
                  "chain");
        add_probe(
            list, (struct probe){"probe_chase", .block = {1}, .unit = PROBE_CYCLES, .work = 2000, .flushes = is_dram},
            "latency,dependent loads over %u KB,1 thread%s", (unsigned)kilobytes[i], is_dram ? " and L2 flushed" : "");
    }
}

static void add_whole_gpu(struct probe_list *list, const struct gpu_profile *gpu)
{
    static const uint32_t spreads[] = {1, 32, 256, 1 << 16};
    double adds = 8e-3 * 256 * 8 * gpu->sms;
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        for (int is_float = 0; is_float <= (i == 0); is_float++)
            add_probe(list,
                      (struct probe){is_float ? "probe_global_add_f32" : "probe_global_add", .grid = {gpu->sms * 8},
                                     .block = {256}, .x = spreads[i], .unit = PROBE_RATE, .work = adds,
                                     .flushes = true},
                      "global atomic,%sadd without result,%u addresses", is_float ? "float " : "", spreads[i]);
    for (int bits = 18; bits <= 22; bits += 2)
        add_probe(list,
                  (struct probe){"probe_gather", .grid = {gpu->sms * 64}, .block = {256},
                                 .x = (UINT64_C(1) << bits) - 1, .unit = PROBE_RATE,
                                 .work = 64e-3 * 256 * 16 * gpu->sms, .flushes = true},
                  "gather,random words of %d KB,16 loads a thread", (1 << bits) / 256);
    for (uint32_t blocks = 4; blocks <= 8; blocks *= 2)
        for (uint32_t wide = 1; wide <= 4; wide *= 4)
            add_probe(list,
                      (struct probe){wide == 4 ? "probe_stream4" : "probe_stream", .grid = {gpu->sms * blocks},
                                     .block = {256}, .x = PROBE_BIG_BYTES / 4 / wide, .unit = PROBE_RATE,
                                     .work = (double)PROBE_BIG_BYTES * 1e-3, .flushes = true},
                      "stream,read 1 GiB of %s,%u blocks of 256 an SM%s", wide == 4 ? "float4" : "floats", blocks,
                      wide == 4 ? "" : " and 8 loads in flight a thread");
}

static void add_checks(struct probe_list *list, const struct gpu_profile *gpu)
{
    const uint32_t n = 4096;
    struct probe check = {"check_copy", {1 << 18, 1}, {256, 1}, .unit = PROBE_TIME, .flushes = true, .checks = true};
    add_probe(list, check, "copy of 256 MiB");
    check = (struct probe){"check_transpose",  {n / 32, n / 32}, {32, 32},      n,
                           .unit = PROBE_TIME, .flushes = true,  .checks = true};
    add_probe(list, check, "transpose of 4096 x 4096 floats, naive");
    check.kernel = "check_tile";
    check.y = 32;
    add_probe(list, check, "the same by a 32 x 32 tile");
    check.y = 33;
    add_probe(list, check, "the same with padding");
    check = (struct probe){"probe_stream",     {gpu->sms, 1},   {256, 1},      PROBE_BIG_BYTES / 4,
                           .unit = PROBE_TIME, .flushes = true, .checks = true};
    add_probe(list, check, "read of 1 GiB by one block an SM");
}

size_t probes_make(const struct gpu_profile *gpu, struct probe probes[PROBES_MAX])
{
    struct probe_list list = {probes, 0};
    add_blocks_and_barriers(&list, gpu);
    add_one_sm(&list);
    add_latencies(&list, gpu);
    add_whole_gpu(&list, gpu);
    add_checks(&list, gpu);
    return list.count;
}

enum status probes_predict(const struct probe *probe, const struct gpu_profile *gpu, double *us,
                           struct diagnostic *diagnostic)
{
    struct ptx_module *module = NULL;
    const struct ptx_function *entry;
    struct sim_program *program = NULL;
    struct prediction prediction = {0};
    struct sim_memory *memory = sim_memory_new();
    const uint64_t params[5] = {sim_memory_add(memory, "big", PROBE_BIG_BYTES, false)->address,
                                sim_memory_add(memory, "out", PROBE_OUT_BYTES, false)->address,
                                sim_memory_add(memory, "clocks", 4096, false)->address, probe->x, probe->y};
    enum status status = ptx_parse("probes.ptx", kernels, strlen(kernels), &module, diagnostic);
    if (!status)
        status = ptx_find_entry(module, probe->kernel, &entry, diagnostic);
    if (!status)
        status = sim_program_new(module, entry, memory, &program, diagnostic);
    if (!status) {
        struct sim_launch launch = {
            .memory = memory,
            .program = program,
            .shape = {.grid = {probe->grid[0], probe->grid[1], 1}, .block = {probe->block[0], probe->block[1], 1}},
            .params = params};
        struct predict_job job = {.gpu = gpu, .launch = &launch};
        status = predict_run(&job, &prediction, diagnostic);
    }
    *us = prediction.us;
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    return status;
}
