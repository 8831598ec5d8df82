#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda.h"

Suite *suite_cuda(void);

enum { COUNT = 1000 };

static float input[COUNT], output[COUNT];

// The job of a kernel (out, in, count) that adds one, under a name that the fake driver knows.
struct fixture {
    struct ptx_variable params[3];
    struct ptx_function entry;
    struct device_arg args[3];
    struct device_job job;
    struct device device;
    struct record record;
    struct diagnostic diagnostic;
};

static void fake_driver(const char *mode)
{
    setenv("BANKSHOT_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
    setenv("BANKSHOT_LIBNVML", "/nonexistent", 1);
    setenv("BANKSHOT_LIBCUBLAS", "/nonexistent", 1);
    setenv("FAKE_CUDA", mode, 1);
}

static void setup(struct fixture *f, const char *kernel)
{
    *f = (struct fixture){.params = {{.size = 8}, {.size = 8}, {.size = 4}}};
    for (int i = 0; i < COUNT; i++)
        input[i] = (float)i;
    f->entry = (struct ptx_function){.name = kernel, .is_entry = true, .params = f->params, .param_count = 3};
    f->args[0] = (struct device_arg){
        .name = "out", .type = PTX_F32, .is_buffer = true, .data = output, .count = COUNT, .uninitialised = true};
    f->args[1] = (struct device_arg){
        .name = "in", .type = PTX_F32, .is_buffer = true, .data = input, .count = COUNT, .read_only = true};
    f->args[2] = (struct device_arg){.name = "count", .type = PTX_S32, .scalar = COUNT};
    f->job = (struct device_job){.ptx = "",
                                 .entry = &f->entry,
                                 .shape.grid = {4, 1, 1},
                                 .shape.block = {256, 1, 1},
                                 .args = f->args,
                                 .arg_count = 3,
                                 .wall_limit = 0.05};
    f->device = (struct device){.ops = &device_gpu_ops, .gpu = 0};
}

static enum status run(struct fixture *f)
{
    enum status status = f->device.ops->open(&f->device, &f->diagnostic);
    if (status == STATUS_OK) {
        status = f->device.ops->run(&f->device, &f->job, &f->record, &f->diagnostic);
        f->device.ops->close(&f->device);
    }
    return status;
}

static const struct {
    const char *mode, *kernel;
    enum status status;
    const char *words;
    enum sim_fault_kind fault;
} verdicts[] = {
    {"", "right_one", STATUS_OK, "", SIM_FAULT_NONE},
    {"nodevice", "right_one", STATUS_ENVIRONMENT, "finds no GPU", SIM_FAULT_NONE},
    {"old", "right_one", STATUS_ENVIRONMENT, "too old (it speaks CUDA 9.2", SIM_FAULT_NONE},
    {"oldptx", "right_one", STATUS_ENVIRONMENT, "older than the compiler", SIM_FAULT_NONE},
    {"refuse", "right_one", STATUS_LAUNCH, "beyond what this GPU allows", SIM_FAULT_NONE},
    {"ecc", "right_one", STATUS_ENVIRONMENT, "not your kernel's fault", SIM_FAULT_NONE},
    {"", "hang_one", STATUS_TIMEOUT, "did not end within", SIM_FAULT_NONE},
    {"", "illegal_one", STATUS_FAULT, "outside its memory: CUDA_ERROR_ILLEGAL_ADDRESS (700", SIM_FAULT_BOUNDS},
    {"", "trap_one", STATUS_FAULT, "was stopped", SIM_FAULT_TRAP},
    {"", "past_one", STATUS_FAULT, "writes outside `out`", SIM_FAULT_BOUNDS},
};

START_TEST(each_trouble_gets_its_own_verdict)
{
    struct fixture f;
    fake_driver(verdicts[_i].mode);
    setup(&f, verdicts[_i].kernel);
    ck_assert_int_eq(run(&f), verdicts[_i].status);
    ck_assert_msg(strstr(f.diagnostic.message, verdicts[_i].words) != NULL, "%s", f.diagnostic.message);
    ck_assert_int_eq(f.record.run.fault, verdicts[_i].fault);
}
END_TEST

START_TEST(a_cooperative_launch_is_one_and_may_be_too_large)
{
    struct fixture f;
    fake_driver("");
    setup(&f, "right_one");
    f.job.shape.cooperative = true;
    ck_assert_int_eq(run(&f), STATUS_OK);
    ck_assert(output[10] == 11.0f);
    setup(&f, "right_one");
    f.job.shape.cooperative = true;
    f.job.shape.grid[0] = 1000;
    ck_assert_int_eq(run(&f), STATUS_LAUNCH);
    ck_assert_msg(strstr(f.diagnostic.message, "has no room for so many") != NULL, "%s", f.diagnostic.message);
}
END_TEST

START_TEST(results_come_back_and_the_gpu_is_named)
{
    struct fixture f;
    fake_driver("");
    setup(&f, "right_one");
    ck_assert_int_eq(run(&f), STATUS_OK);
    ck_assert(output[10] == 11.0f);
    ck_assert_str_eq(f.record.device, "Fake GPU 0");
    ck_assert(f.record.measured_us > 0);
}
END_TEST

START_TEST(ptx_for_a_later_gpu_is_told_from_bad_ptx)
{
    struct fixture f;
    fake_driver("");
    setenv("FAKE_CUDA_SM", "75", 1);
    setup(&f, "right_one");
    f.job.ptx = ".version 8.0\n.target sm_90\n";
    ck_assert_int_eq(run(&f), STATUS_ENVIRONMENT);
    ck_assert_msg(strstr(f.diagnostic.message, "is for sm_90, Fake GPU 0 is sm_75") != NULL, "%s",
                  f.diagnostic.message);
    f.job.ptx = ".version 8.0\n.target sm_75\n";
    ck_assert_int_eq(run(&f), STATUS_OK);
}
END_TEST

START_TEST(a_gpu_is_described_by_number_or_as_the_idlest)
{
    struct cuda_info info;
    int count = 0;
    fake_driver("");
    setenv("FAKE_CUDA_SM", "86", 1);
    ck_assert_int_eq(cuda_describe(1, &info, &count, NULL), STATUS_OK);
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(info.sm, 86);
    ck_assert_str_eq(info.name, "Fake GPU 1");
    ck_assert_int_eq(cuda_describe(-1, &info, &count, NULL), STATUS_OK);
    ck_assert_str_eq(info.name, "Fake GPU 0");
}
END_TEST

START_TEST(a_missing_driver_says_so)
{
    struct fixture f;
    setenv("BANKSHOT_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
    setup(&f, "right_one");
    ck_assert_int_eq(run(&f), STATUS_ENVIRONMENT);
    ck_assert(strstr(f.diagnostic.message, "--device sim") != NULL);
}
END_TEST

START_TEST(a_gpu_that_is_not_there_is_refused)
{
    struct fixture f;
    fake_driver("");
    setup(&f, "right_one");
    f.device.gpu = 7;
    ck_assert_int_eq(run(&f), STATUS_ENVIRONMENT);
    ck_assert(strstr(f.diagnostic.message, "there is no GPU 7") != NULL);
}
END_TEST

static struct ptx_module file; // of the kernels that are timed

static enum status time_three(struct fixture *f, const char *kernel, double flop, struct timing_entry entries[3],
                              struct timing_conditions *conditions)
{
    static struct ptx_function trusted;
    fake_driver("");
    setup(f, kernel);
    f->entry.module = &file;
    trusted = f->entry;
    trusted.name = "right_solution";
    entries[2] = (struct timing_entry){.name = "copy", .kind = TIMING_COPY};
    entries[0] = (struct timing_entry){
        .name = "yours", .ptx = "", .entry = &f->entry, .shape.grid = {4, 1, 1}, .shape.block = {256, 1, 1}};
    entries[1] = (struct timing_entry){.name = "solution",
                                       .ptx = "",
                                       .entry = &trusted,
                                       .shape.grid = {4, 1, 1},
                                       .shape.block = {256, 1, 1},
                                       .trusted = true};
    struct timing_job job = {.args = f->args,
                             .arg_count = 3,
                             .entries = entries,
                             .entry_count = 3,
                             .seconds = 0.2,
                             .wall_limit = 0.05,
                             .bytes = 2 * sizeof input,
                             .flop = flop,
                             .copy_bytes = sizeof input};
    ck_assert_int_eq(f->device.ops->open(&f->device, &f->diagnostic), STATUS_OK);
    enum status status = timing_run(&f->device, &job, conditions, &f->diagnostic);
    f->device.ops->close(&f->device);
    return status;
}

#define HALVES .op = PTX_OP_MMA, .types = {PTX_F32, PTX_F16, PTX_F16, PTX_F32}, .type_count = 4
static const struct {
    const char *kernel;
    enum status run, entry;
    const char *words;
    double flop;
    struct ptx_inst inst; // all that the kernel's file has
} timings[] = {
    {"right_one", STATUS_OK, STATUS_OK, "", 0, {0}},
    {"wrong_one", STATUS_OK, STATUS_FAULT, "wrong in the timed runs", 0, {0}},
    {"cache_one", STATUS_OK, STATUS_FAULT, "wrong in the timed runs", 0, {0}},
    {"nothing_one", STATUS_OK, STATUS_FAULT, "wrong in the timed runs", 0, {0}},
    {"fast_one", STATUS_OK, STATUS_FAULT, "impossibly fast", 0, {0}},
    // 132 SMs, 128 lanes, 1.98 GHz: 66.9 TFLOP/s, so 10 us are too few for 700 MFLOP, and enough for 600
    {"right_one", STATUS_OK, STATUS_FAULT, "impossibly fast", 700e6, {0}},
    {"right_one", STATUS_OK, STATUS_OK, "", 600e6, {0}},
    // tensor cores: 4096 FLOP for an SM and cycle, 1070 TFLOP/s, so that 10 us do for 10 GFLOP
    {"right_one", STATUS_OK, STATUS_FAULT, "impossibly fast", 12e9, {HALVES}},
    {"right_one", STATUS_OK, STATUS_OK, "", 9e9, {HALVES}},
    {"right_one",
     STATUS_OK,
     STATUS_OK,
     "",
     12e9,
     {.op = PTX_OP_WGMMA_MMA, .types = {PTX_S32, PTX_S8}, .type_count = 2}},
    {"right_one", STATUS_OK, STATUS_OK, "", 1200e6, {.op = PTX_OP_FMA, .types = {PTX_F16X2}, .type_count = 1}},
    {"past_one", STATUS_FAULT, STATUS_OK, "writes outside `out`", 0, {0}},
    {"hang_one", STATUS_TIMEOUT, STATUS_TIMEOUT, "did not end", 0, {0}},
    {"illegal_one", STATUS_FAULT, STATUS_FAULT, "outside its memory", 0, {0}},
};

START_TEST(a_time_counts_only_for_work_done)
{
    struct fixture f;
    struct timing_entry entries[3];
    struct timing_conditions conditions;
    struct ptx_inst inst = timings[_i].inst;
    struct ptx_function *functions[] = {&(struct ptx_function){.insts = &inst, .inst_count = 1}};
    file = (struct ptx_module){.functions = functions, .function_count = 1};
    ck_assert_int_eq(time_three(&f, timings[_i].kernel, timings[_i].flop, entries, &conditions), timings[_i].run);
    ck_assert_int_eq(entries[0].status, timings[_i].entry);
    const char *message = timings[_i].run == STATUS_OK ? entries[0].diagnostic.message : f.diagnostic.message;
    ck_assert_msg(strstr(message, timings[_i].words) != NULL, "%s", message);
    if (timings[_i].run == STATUS_OK) {
        bool is_fast = timings[_i].flop > 0 && timings[_i].entry != STATUS_OK; // and so is the solution
        ck_assert_int_eq(entries[1].status, is_fast ? STATUS_FAULT : STATUS_OK);
        if (entries[0].wrong) // no time of it will count
            ck_assert_uint_eq(entries[1].runs, 1);
        else
            ck_assert_uint_ge(entries[1].runs, 11);
        ck_assert(entries[2].us.value > 0 && conditions.copy_gbps > 0);
    }
}
END_TEST

START_TEST(noise_is_told_with_its_evidence)
{
    struct fixture f;
    struct timing_entry entries[3];
    struct timing_conditions conditions;
    ck_assert_int_eq(time_three(&f, "noisy_one", 0, entries, &conditions), STATUS_OK);
    ck_assert(conditions.noisy);
    ck_assert_msg(strstr(conditions.evidence, "yours: median") != NULL, "%s", conditions.evidence);
}
END_TEST

Suite *suite_cuda(void)
{
    Suite *suite = suite_create("cuda");
    TCase *tests = tcase_create("fake driver");
    tcase_add_loop_test(tests, each_trouble_gets_its_own_verdict, 0, sizeof verdicts / sizeof *verdicts);
    tcase_add_test(tests, a_cooperative_launch_is_one_and_may_be_too_large);
    tcase_add_test(tests, results_come_back_and_the_gpu_is_named);
    tcase_add_test(tests, ptx_for_a_later_gpu_is_told_from_bad_ptx);
    tcase_add_test(tests, a_gpu_is_described_by_number_or_as_the_idlest);
    tcase_add_test(tests, a_missing_driver_says_so);
    tcase_add_test(tests, a_gpu_that_is_not_there_is_refused);
    tcase_add_loop_test(tests, a_time_counts_only_for_work_done, 0, sizeof timings / sizeof *timings);
    tcase_add_test(tests, noise_is_told_with_its_evidence);
    suite_add_tcase(suite, tests);
    return suite;
}
