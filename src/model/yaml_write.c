#include "model/yaml_write.h"

#include <string.h>

/* Double quotes and escapes; line separators would fold, a byte order mark would vanish. */
void nmc_yaml_write_text(struct nmc_sink *sink, const char *text) {
    static const struct {
        const char *bytes, *escape;
    } special[] = {
        {"\"", "\\\""},
        {"\\", "\\\\"},
        {"\n", "\\n"},
        {"\t", "\\t"},
        {"\xE2\x80\xA8", "\\L"},
        {"\xE2\x80\xA9", "\\P"},
        {"\xEF\xBB\xBF", "\\uFEFF"},
    };
    nmc_sink_puts(sink, "\"");
    while (*text) {
        size_t i = 0, count = sizeof special / sizeof *special;
        while (i < count && strncmp(text, special[i].bytes, strlen(special[i].bytes)) != 0)
            i++;
        if (i < count)
            nmc_sink_puts(sink, special[i].escape);
        else
            nmc_sink_add(sink, text, 1);
        text += i < count ? strlen(special[i].bytes) : 1;
    }
    nmc_sink_puts(sink, "\"");
}
