// Logs every file that a process opens. Loaded before the C library (LD_PRELOAD), each process writes its own file in
// the folder TESSERA_OPEN_TRACE: its arguments in the first line, and a path in each other line. Files opened with
// O_PATH, which cannot be read, are omitted.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../Preload/preload.h"

static int trace = -1;

// Workers close foreign descriptors; the log must stay open.
void closefrom(int first) {
    for (int file = first; file < 1024; file++)
        if (file != trace) close(file);
}

static char folder[4096];
static pid_t owner;
static void begin(void);

static void note(const char *path) {
    char line[4097];
    // A forked process writes its own file.
    if (owner && getpid() != owner) begin();
    const size_t length = path ? strnlen(path, sizeof line - 1) : 0;
    if (trace < 0 || length == 0) return;
    memcpy(line, path, length);
    line[length] = '\n';
    if (write(trace, line, length + 1) < 0) abort();
}

__attribute__((constructor)) static void begin(void) {
    const char *given = getenv("TESSERA_OPEN_TRACE");
    char name[8192], arguments[4096];
    if (!owner && given) snprintf(folder, sizeof folder, "%s", given);
    if (!folder[0]) return;
    owner = getpid();
    snprintf(name, sizeof name, "%s/%d", folder, (int)getpid());
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    const int file = real("/proc/self/cmdline", O_RDONLY);
    const ssize_t count = file < 0 ? -1 : read(file, arguments, sizeof arguments - 1);
    if (file >= 0) close(file);
    for (ssize_t i = 0; i + 1 < count; i++) {
        if (!arguments[i]) arguments[i] = ' ';
    }
    arguments[count < 0 ? 0 : count] = 0;
    // A number above those that a program closes before it starts another program.
    const int opened = real(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    trace = fcntl(opened, F_DUPFD_CLOEXEC, 200);
    close(opened);
    note(arguments);
}

#define OPEN(name, parameters, arguments)                                                                             \
    int name parameters {                                                                                             \
        static int(*real) parameters;                                                                                 \
        if (!real) real = dlsym(RTLD_NEXT, #name);                                                                    \
        va_list list;                                                                                                 \
        va_start(list, flags);                                                                                        \
        const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;                               \
        va_end(list);                                                                                                 \
        if (!(flags & O_PATH)) note(path);                                                                            \
        return real arguments;                                                                                        \
    }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

#define FOPEN(name)                                                                                                   \
    FILE *name(const char *path, const char *mode) {                                                                  \
        static FILE *(*real)(const char *, const char *);                                                             \
        if (!real) real = dlsym(RTLD_NEXT, #name);                                                                    \
        note(path);                                                                                                   \
        return real(path, mode);                                                                                      \
    }

FOPEN(fopen)
FOPEN(fopen64)
