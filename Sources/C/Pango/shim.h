// Pango and Cairo, with functions for what Swift cannot import: casting macros, logging and attributes.
#ifndef TESSERA_CPANGO_SHIM_H
#define TESSERA_CPANGO_SHIM_H

#include <pango/pangocairo.h>

static inline void tpg_ignore_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    (void)domain, (void)level, (void)message, (void)data;
}

/// Suppresses Pango's warnings about fonts on standard error.
static inline void tpg_be_quiet(void) {
    g_log_set_handler("Pango", (GLogLevelFlags)(G_LOG_LEVEL_MASK & ~G_LOG_LEVEL_ERROR), tpg_ignore_message, 0);
}

/// Returns a new context with its own font map; null without memory. Results depend only on the installed fonts: a
/// point is a pixel, glyphs are neither hinted nor rounded to whole pixels, and coverage is gray.
static inline PangoContext *tpg_context_new(void) {
    PangoFontMap *map = pango_cairo_font_map_new();
    if (!map) return 0;
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map), 72);
    PangoContext *context = pango_font_map_create_context(map);
    g_object_unref(map);
    if (!context) return 0;
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
    pango_context_set_base_dir(context, PANGO_DIRECTION_WEAK_LTR);
    return context;
}

/// Releases a reference to a Pango object.
static inline void tpg_release(void *object) { g_object_unref(object); }

/// Frees memory that Pango returned.
static inline void tpg_free(void *memory) { g_free(memory); }

/// Disables hyphens and, if `has_even_digits`, sets tabular figures (digits of equal width).
static inline void tpg_layout_set_plain(PangoLayout *layout, int has_even_digits) {
    PangoAttrList *list = pango_attr_list_new();
    pango_attr_list_insert(list, pango_attr_insert_hyphens_new(FALSE));
    if (has_even_digits) pango_attr_list_insert(list, pango_attr_font_features_new("tnum=1"));
    pango_layout_set_attributes(layout, list);
    pango_attr_list_unref(list);
}

/// Returns 1 if a line may be broken before character `number` and a word begins or ends there.
static inline int tpg_is_word_break(const PangoLogAttr *attributes, int number) {
    return attributes[number].is_line_break && attributes[number].is_word_boundary;
}

#endif
