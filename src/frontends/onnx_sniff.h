/*
 * onnx_sniff.h - files that are called model.onnx and are something else.
 */
#ifndef NMC_ONNX_SNIFF_H
#define NMC_ONNX_SNIFF_H

#include "base/file.h"

/* An error that says what the file seems to be, or NEUROMC_OK if it may be ONNX. */
neuromc_status nmc_onnx_sniff(const struct nmc_file *file, const char *name, neuromc_diags *diags);

#endif
