#include "kernel.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "hazard/hazard.h"
#include "record/counters.h"
#include "record/recorder.h"

static void write_module(const struct kernel *kernel, struct text *text)
{
    text_puts(text, ".version 8.5\n.target sm_90\n.address_size 64\n");
    text_puts(text, kernel->before ? kernel->before : "");
    text_puts(text, "\n.visible .entry kernel(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
                    ".reg .pred %p<32>; .reg .b16 %h<64>; .reg .b32 %r<128>; .reg .f32 %f<64>; .reg .b64 %rd<64>;\n"
                    ".reg .f64 %d<32>;\n"
                    "ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out]; ld.param.u32 %r0, [n];\n"
                    "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r2, %r3, %r4, %r1;\n"
                    "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd2, %rd0, %rd4; add.s64 %rd3, %rd1, %rd4;\n");
    text_puts(text, kernel->body);
    text_puts(text, "\nret;\n}\n");
}

struct witnesses {
    struct hazard_checker *hazards;
    struct counter_observer *counters;
    struct recorder *recorder;
    struct sim_observer observers[3];
};

static void witnesses_begin(struct witnesses *witnesses, const struct sim_program *program, struct sim_memory *memory)
{
    witnesses->hazards = hazard_checker_new(program, memory, NULL);
    witnesses->counters = counter_observer_new(program, NULL);
    witnesses->recorder = recorder_new(program, 0, 1000);
    witnesses->observers[0] = hazard_checker_observer(witnesses->hazards);
    witnesses->observers[1] = counter_observer_get(witnesses->counters);
    witnesses->observers[2] = recorder_observer(witnesses->recorder);
}

static void witnesses_end(struct witnesses *witnesses, const struct kernel *kernel)
{
    struct hazard_list hazards;
    struct counter_table table;
    struct recording recording;
    hazard_checker_take(witnesses->hazards, &hazards);
    for (size_t i = 0; i < hazards.count; i++) {
        const struct hazard *hazard = &hazards.items[i];
        text_printf(kernel->seen, "%s %u %u block %u %u thread %u %u at %llx, %llu times: %s\n",
                    hazard_name(hazard->kind), hazard->pc, hazard->other_pc, hazard->block[0], hazard->other_block[0],
                    hazard->thread[0], hazard->other_thread[0], (unsigned long long)hazard->address,
                    (unsigned long long)hazard->count, hazard->message);
    }
    counter_observer_take(witnesses->counters, kernel->counts, &table);
#define C(name, field) text_printf(kernel->seen, #name " %llu\n", (unsigned long long)table.compiled.field);
#include "record/counters.def"
#undef C
    recorder_take(witnesses->recorder, &recording);
    text_printf(kernel->seen, "%llu recorded\n", (unsigned long long)recording.total);
    hazard_list_free(&hazards);
    counter_table_free(&table);
    recording_free(&recording);
    hazard_checker_free(witnesses->hazards);
    counter_observer_free(witnesses->counters);
    recorder_free(witnesses->recorder);
}

static enum status run_program(struct kernel *kernel, const struct sim_program *program, struct sim_memory *memory)
{
    struct sim_allocation *in = sim_memory_add(memory, "in", kernel->in_size, false);
    struct sim_allocation *out = sim_memory_add(memory, "out", kernel->out_size, kernel->track);
    if (kernel->in_size)
        memcpy(in->data, kernel->in, kernel->in_size);
    if (kernel->out_size && !kernel->track)
        memcpy(out->data, kernel->out, kernel->out_size);
    struct {
        uint64_t in, out;
        uint32_t n;
    } params = {in->address, out->address, kernel->n};
    struct sim_launch launch = {
        .program = program,
        .memory = memory,
        .shape.grid = {kernel->grid ? kernel->grid : 1, 1, 1},
        .shape.block = {kernel->block ? kernel->block : SIM_LANES, 1, 1},
        .shape.cluster = {kernel->cluster, kernel->cluster ? 1 : 0, kernel->cluster ? 1 : 0},
        .shape.dynamic_shared = kernel->dynamic_shared,
        .params = &params,
        .budget = kernel->budget,
        .schedule = kernel->schedule,
        .seed = kernel->seed,
        .host_threads = kernel->host_threads,
        .at_once = kernel->at_once,
        .lone_warp = kernel->lone_warp,
        .observers = kernel->observers,
        .observer_count = kernel->observer_count,
        .counts = kernel->counts,
        .print = kernel->print,
        .print_context = kernel->print_context,
        .cancel = kernel->cancel,
        .limit = kernel->limit,
    };
    struct witnesses witnesses;
    if (kernel->seen) {
        witnesses_begin(&witnesses, program, memory);
        launch.observers = witnesses.observers;
        launch.observer_count = 3;
    }
    enum status status = sim_run(&launch, &kernel->result, &kernel->diagnostic);
    if (kernel->seen) {
        witnesses_end(&witnesses, kernel);
        for (size_t i = 0; i + 4 <= in->size; i += 4)
            text_printf(kernel->seen, "%02x%02x%02x%02x ", in->data[i], in->data[i + 1], in->data[i + 2],
                        in->data[i + 3]);
    }
    if (kernel->out_size)
        memcpy(kernel->out, out->data, kernel->out_size);
    return status;
}

enum status kernel_run(struct kernel *kernel)
{
    struct text text = {0};
    struct ptx_module *module = NULL;
    struct sim_program *program = NULL;
    struct sim_memory *memory = sim_memory_new();
    const struct ptx_function *entry;
    write_module(kernel, &text);
    enum status status = ptx_parse_any("test.ptx", text_get(&text), text.length, &module, &kernel->diagnostic);
    if (status != STATUS_OK)
        goto out;
    status = ptx_find_entry(module, "kernel", &entry, &kernel->diagnostic);
    if (status != STATUS_OK)
        goto out;
    status = sim_program_new(module, entry, memory, &program, &kernel->diagnostic);
    if (status != STATUS_OK)
        goto out;
    status = run_program(kernel, program, memory);
    char place[32]; // the line of the PTX: diagnostic.line is enough to compare
    snprintf(place, sizeof place, ", line %d", kernel->diagnostic.line);
    if (strcmp(kernel->diagnostic.file, "test.ptx") == 0 && text_ends(kernel->diagnostic.message, place))
        kernel->diagnostic.message[strlen(kernel->diagnostic.message) - strlen(place)] = '\0';
out:
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    text_free(&text);
    return status;
}
