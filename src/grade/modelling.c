// Modelled times, on threads beside the grading: the learner's kernel, and the naive kernel and solution from the cache
// or anew.
#include "grade/modelling.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "model/profiles.h"
#include "toolchain/cache.h"
#include "toolchain/ptxas.h"

struct modelling {
    struct runner others_runner, own_runner; // copies: the original's limit changes meanwhile
    atomic_bool cancel;
    pthread_t others, own;
    bool others_run, own_run;  // threads that are still to be joined
    double naive, solution;    // microseconds; 0 = not known
    struct diagnostic machine; // why one of those is not known, if the machine is to blame
    const struct unit *unit;
    struct record record;
    struct large_finding finding; // of the learner's kernel, as all below
    char shape[64];
    enum status status;
    struct diagnostic diagnostic;
};

// Everything that a modelled time depends on: this program, ptxas, the modelled GPU, the sizes, the PTX.
static struct text make_key(const struct runner *runner, const struct unit *unit)
{
    const struct lesson_part *part = runner->lesson->parts;
    struct modelled_size modelled;
    const struct lesson_size *size = &modelled.size;
    struct stat program = {0};
    struct text key = {0};
    char ptxas[5000];
    run_modelled_size(runner, part, NULL, &modelled);
    stat("/proc/self/exe", &program);
    text_printf(&key, "modelled time\n%lld %lld.%09ld\n%s\n%s\n%s\n", (long long)program.st_size,
                (long long)program.st_mtim.tv_sec, program.st_mtim.tv_nsec, ptxas_identity(ptxas, sizeof ptxas),
                runner->simulator.gpu_model, runner->lesson->id);
    char *path = runner->simulator.profile->constants ? profile_path(runner->simulator.gpu_model) : NULL;
    text_puts(&key, path ? file_identify(path, ptxas, sizeof ptxas) : "");
    free(path);
    for (size_t i = 0; i < size->variable_count; i++)
        text_printf(&key, "%s %g\n", size->variables[i].name, lesson_value(size, true, size->variables[i].name));
    text_append(&key, unit->compiled.ptx, unit->compiled.ptx_length);
    return key;
}

// Modelled time of the solution or the naive kernel; 0 = not known.
static double model_other(struct modelling *modelling, const char *path)
{
    struct runner *runner = &modelling->others_runner;
    struct unit unit;
    struct record record = {0};
    struct cache_entry entry = {0};
    struct diagnostic why = {0};
    double time = 0;
    enum status status = unit_make_text(&unit, path, NULL, &runner->toolchain, runner->cancel, NULL, &why);
    if (status == STATUS_OK) {
        struct text key = make_key(runner, &unit);
        char ptxas[5000];
        if (cache_load(&key, &entry)) {
            time = strtod(text_get(&entry.ptx), NULL);
        } else if ((status = run_model(runner, &unit, 0, &record, NULL, NULL, &why)) == STATUS_OK) {
            time = record.modelled_us;
            text_printf(&entry.ptx, "%.17g", time); // the same double, wherever it comes from
            // An estimate where ptxas was only too slow must not stay.
            if (record.resources.registers || record.resources.refused || !ptxas_identity(ptxas, sizeof ptxas)[0])
                cache_store(&key, &entry);
        }
        text_free(&key);
    }
    bool is_late = status == STATUS_CANCELLED || (status == STATUS_TIMEOUT && clock_limit_passed(&runner->limit));
    if (is_late && !atomic_load(&modelling->cancel))
        status = diagnostic_set(&why, STATUS_ENVIRONMENT,
                                "There was no time to model the kernels that yours is compared with: this machine is "
                                "too busy. Run it again when less else is running.");
    if (status_is_machines(status))
        modelling->machine = why;
    record_free(&record);
    cache_entry_free(&entry);
    unit_free(&unit);
    return time;
}

static void *model_others(void *context)
{
    struct modelling *modelling = context;
    const struct lesson *lesson = modelling->others_runner.lesson;
    modelling->naive = lesson->naive ? model_other(modelling, lesson->naive) : 0;
    modelling->solution = model_other(modelling, lesson->solution);
    return NULL;
}

static void *model_own(void *context)
{
    struct modelling *modelling = context;
    modelling->status = run_model(&modelling->own_runner, modelling->unit, 0, &modelling->record, &modelling->finding,
                                  modelling->shape, &modelling->diagnostic);
    runner_drop_units(&modelling->own_runner);
    return NULL;
}

struct modelling *modelling_start(const struct runner *runner)
{
    struct modelling *modelling = mem_alloc(sizeof *modelling);
    *modelling = (struct modelling){.others_runner = *runner, .status = STATUS_UNSUPPORTED};
    modelling->others_runner.cancel = &modelling->cancel;
    modelling->others_runner.output = NULL;
    modelling->own_runner = modelling->others_runner;
    modelling->own_runner.units = NULL; // they are the original's
    modelling->others_run = pthread_create(&modelling->others, NULL, model_others, modelling) == 0;
    if (!modelling->others_run) // no thread to be had: it takes longer then
        model_others(modelling);
    return modelling;
}

void modelling_add(struct modelling *modelling, const struct unit *unit, const struct clock_limit *limit)
{
    modelling->unit = unit;
    modelling->own_runner.limit = *limit;
    modelling->own_run = pthread_create(&modelling->own, NULL, model_own, modelling) == 0;
    if (modelling->own_run)
        process_let_others_first(); // it has more to do than the sizes that are run beside it
    else
        model_own(modelling);
}

static void join(struct modelling *modelling)
{
    if (modelling->others_run)
        pthread_join(modelling->others, NULL);
    if (modelling->own_run)
        pthread_join(modelling->own, NULL);
    modelling->others_run = modelling->own_run = false;
}

enum status modelling_take(struct modelling *modelling, struct kernel_times *times, struct record *record,
                           struct large_finding *finding, struct hazard_list *hazards, char shape[64],
                           struct diagnostic *diagnostic)
{
    join(modelling);
    const struct record *own = &modelling->record;
    *finding = modelling->finding;
    memcpy(shape, modelling->shape, sizeof modelling->shape);
    if (modelling->status == STATUS_OK && finding->kind == LARGE_RIGHT) {
        *times = (struct kernel_times){
            .kernel = own->modelled_us, .naive = modelling->naive, .solution = modelling->solution};
        record->model = own->model;
        record->resources = own->resources;
        record->probed = own->probed;
        record->modelled_us = own->modelled_us;
        memcpy(record->model_gpu, own->model_gpu, sizeof record->model_gpu);
    }
    run_merge_hazards(hazards, &own->hazards);
    bool is_others = modelling->status == STATUS_OK && modelling->machine.code != STATUS_OK;
    *diagnostic = is_others ? modelling->machine : modelling->diagnostic;
    return is_others ? modelling->machine.code : modelling->status;
}

void modelling_free(struct modelling *modelling)
{
    if (!modelling)
        return;
    atomic_store(&modelling->cancel, true);
    join(modelling);
    record_free(&modelling->record);
    free(modelling);
}
