/*
 * yaml_write.h - texts as YAML that reads back equal.
 */
#ifndef NMC_YAML_WRITE_H
#define NMC_YAML_WRITE_H

#include "base/sink.h"

/* In double quotes. */
void nmc_yaml_write_text(struct nmc_sink *sink, const char *text);

#endif
