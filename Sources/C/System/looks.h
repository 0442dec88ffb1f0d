// Emulation of file inspection calls (stat, access) in a process that may not make them.
#ifndef TESSERA_CSYSTEM_LOOKS_H
#define TESSERA_CSYSTEM_LOOKS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// Constants that the system's headers define only for GNU programs.
enum { CSYS_AT_EMPTY_PATH = 0x1000, CSYS_R10 = 2, CSYS_RDI = 8, CSYS_RSI = 9, CSYS_RDX = 12, CSYS_RAX = 13 };

/// Inspects a file by opening it for reading, which Landlock checks. Returns 0 or a negative errno. `status` may be
/// null.
static inline long csys_look(int folder, const char *path, int follows, struct stat *status) {
    int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW);
    long file = syscall(SYS_openat, folder, path, flags);
    if (file < 0) return -errno;
    long result = status && syscall(SYS_fstat, file, status) < 0 ? -errno : 0;
    syscall(SYS_close, file);
    return result;
}

/// Returns the result of the call `number` with its arguments; 1 if the call is not an inspection.
static inline long csys_look_answer(int number, const long argument[4]) {
    const char *path = (const char *)argument[1];
    switch (number) {
#ifdef SYS_stat
    case SYS_stat: return csys_look(AT_FDCWD, (const char *)argument[0], 1, (struct stat *)argument[1]);
    case SYS_lstat: return csys_look(AT_FDCWD, (const char *)argument[0], 0, (struct stat *)argument[1]);
    case SYS_access:
        if (argument[1] & W_OK) return -EACCES;
        return csys_look(AT_FDCWD, (const char *)argument[0], 1, 0);
#endif
    case SYS_newfstatat:
        // Open files may be inspected.
        if (path && !path[0] && (argument[3] & CSYS_AT_EMPTY_PATH))
            return syscall(SYS_fstat, argument[0], argument[2]) < 0 ? -errno : 0;
        return csys_look((int)argument[0], path, !(argument[3] & AT_SYMLINK_NOFOLLOW), (struct stat *)argument[2]);
    case SYS_faccessat:
#ifdef SYS_faccessat2
    case SYS_faccessat2:
#endif
        return argument[2] & W_OK ? -EACCES : csys_look((int)argument[0], path, 1, 0);
    default: return 1;
    }
}

/// Emulates the call that a filter stopped with SIGSYS. Returns 1, or 0 if the call is not an inspection.
/// Async-signal-safe.
static inline int csys_answer_look(const siginfo_t *information, void *place) {
    ucontext_t *context = (ucontext_t *)place;
    const int error = errno;
#if defined(__x86_64__)
    greg_t *registers = context->uc_mcontext.gregs;
    const long arguments[4] = {registers[CSYS_RDI], registers[CSYS_RSI], registers[CSYS_RDX], registers[CSYS_R10]};
#elif defined(__aarch64__)
    unsigned long long *registers = context->uc_mcontext.regs;
    const long arguments[4] = {(long)registers[0], (long)registers[1], (long)registers[2], (long)registers[3]};
#else
#error "the registers of a call into the system are not known for this processor"
#endif
    const long answer = csys_look_answer(information->si_syscall, arguments);
    errno = error;
    if (answer > 0) return 0;
#if defined(__x86_64__)
    registers[CSYS_RAX] = answer;
#else
    registers[0] = (unsigned long long)answer;
#endif
    return 1;
}

#endif
