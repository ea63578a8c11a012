#include "model/yaml_write.h"

#include <string.h>

/* U+0001 to U+001F, U+007F to U+009F: the bytes it takes, or 0 for anything else. */
static size_t control(const unsigned char *text, unsigned *code) {
    const bool two = text[0] == 0xC2 && text[1] >= 0x80 && text[1] < 0xA0;
    *code = two ? text[1] : text[0];
    return two ? 2 : text[0] < 0x20 || text[0] == 0x7F;
}

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
        size_t i = 0, count = sizeof special / sizeof *special, width;
        unsigned code = 0;
        while (i < count && strncmp(text, special[i].bytes, strlen(special[i].bytes)) != 0)
            i++;
        width = i < count ? strlen(special[i].bytes) : control((const unsigned char *)text, &code);
        if (i < count)
            nmc_sink_puts(sink, special[i].escape);
        else if (width)
            nmc_sink_printf(sink, "\\x%02X", code);
        else
            nmc_sink_add(sink, text, width = 1);
        text += width;
    }
    nmc_sink_puts(sink, "\"");
}
