// For libraries that tests preload (LD_PRELOAD): child programs get the same libraries, and the TESSERA_… variables
// that the libraries read, whatever environment the parent passes.
#ifndef TESSERA_PRELOAD_H
#define TESSERA_PRELOAD_H

#include <dlfcn.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

static int is_passed_on(const char *variable) {
    return !strncmp(variable, "LD_PRELOAD=", 11) || !strncmp(variable, "TESSERA_", 8);
}

enum { PRELOAD_MOST = 1024 };

/// Writes the environment of a child program, terminated by NULL.
static void pass_on(char *const *environment, char **variables) {
    int count = 0;
    for (char *const *variable = environment; variable && *variable && count < PRELOAD_MOST - 100; variable++)
        if (!is_passed_on(*variable)) variables[count++] = *variable;
    for (char **variable = environ; *variable && count < PRELOAD_MOST - 1; variable++)
        if (is_passed_on(*variable)) variables[count++] = *variable;
    variables[count] = 0;
}

int execve(const char *path, char *const *arguments, char *const *environment) {
    char *variables[PRELOAD_MOST];
    pass_on(environment, variables);
    return (int)syscall(SYS_execve, path, arguments, variables);
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
    int (*original)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                    char *const *, char *const *) = dlsym(RTLD_NEXT, "posix_spawn");
    char *variables[PRELOAD_MOST];
    pass_on(environment, variables);
    return original(process, path, actions, attributes, arguments, variables);
}

#endif
