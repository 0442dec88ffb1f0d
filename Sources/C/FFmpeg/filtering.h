// libavfilter, loaded with dlopen on first use. It depends on far more libraries than the rest of libav*, and few
// recordings need it.
#ifndef TESSERA_CFFMPEG_FILTERING_H
#define TESSERA_CFFMPEG_FILTERING_H

#include <dlfcn.h>
#include <stdlib.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>

#define CFF_TEXT(x) #x
#define CFF_LIBRARY(name, version) name ".so." CFF_TEXT(version)

/// The functions of libavfilter, named without their prefixes.
struct cff_filters {
    __typeof__(&avfilter_graph_alloc) graph_alloc;
    __typeof__(&avfilter_graph_free) graph_free;
    __typeof__(&avfilter_get_by_name) get_by_name;
    __typeof__(&avfilter_graph_create_filter) graph_create_filter;
    __typeof__(&avfilter_link) link;
    __typeof__(&avfilter_graph_config) graph_config;
    __typeof__(&av_buffersrc_add_frame_flags) add_frame;
    __typeof__(&av_buffersink_get_frame) get_frame;
    __typeof__(&av_buffersink_get_time_base) get_time_base;
};

/// Loads the version of libavfilter whose headers this was compiled with. Returns 1, or 0 if it is not installed.
static inline int cff_load_filters(struct cff_filters *filters) {
    // OpenBLAS, a dependency of libavfilter's libraries, starts a thread with its own memory for each processor, even
    // if it is never used.
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    void *library = dlopen(CFF_LIBRARY("libavfilter", LIBAVFILTER_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
    if (!library) return 0;
    filters->graph_alloc = (__typeof__(filters->graph_alloc))dlsym(library, "avfilter_graph_alloc");
    filters->graph_free = (__typeof__(filters->graph_free))dlsym(library, "avfilter_graph_free");
    filters->get_by_name = (__typeof__(filters->get_by_name))dlsym(library, "avfilter_get_by_name");
    filters->graph_create_filter =
        (__typeof__(filters->graph_create_filter))dlsym(library, "avfilter_graph_create_filter");
    filters->link = (__typeof__(filters->link))dlsym(library, "avfilter_link");
    filters->graph_config = (__typeof__(filters->graph_config))dlsym(library, "avfilter_graph_config");
    filters->add_frame = (__typeof__(filters->add_frame))dlsym(library, "av_buffersrc_add_frame_flags");
    filters->get_frame = (__typeof__(filters->get_frame))dlsym(library, "av_buffersink_get_frame");
    filters->get_time_base = (__typeof__(filters->get_time_base))dlsym(library, "av_buffersink_get_time_base");
    return filters->graph_alloc && filters->graph_free && filters->get_by_name && filters->graph_create_filter &&
        filters->link && filters->graph_config && filters->add_frame && filters->get_frame && filters->get_time_base;
}

#endif
