/* Shape inference of picks, pads, resampling, grids, signals, strings and random numbers. */
#include "op_fixture.h"

static void test_gather_kin(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node =
        fx_node(f, "GatherElements", fx_float(f, "5,6"), fx_tensor(f, NMC_ELEM_int64, "2,N"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[2, N]");
    fx_fails(f, fx_node(f, "GatherElements", fx_float(f, "5,6"), fx_float(f, "2")), "2 axes");
    node = fx_node(f, "GatherND", fx_float(f, "5,6,7"), fx_tensor(f, NMC_ELEM_int64, "N,4,2"));
    assert_shape(f, fx_run(f, node), "[N, 4, 7]");
    node = fx_node(f, "GatherND", fx_float(f, "5,6,7"), fx_tensor(f, NMC_ELEM_int64, "5,4,1"));
    fx_attr_int(f, node, "batch_dims", 1);
    assert_shape(f, fx_run(f, node), "[5, 4, 7]");
    fx_fails(f, fx_node(f, "GatherND", fx_float(f, "5"), fx_tensor(f, NMC_ELEM_int64, "2,2")),
             "cannot pick");
    node = fx_node(f, "ScatterND", fx_float(f, "N,4"), fx_tensor(f, NMC_ELEM_int64, "2,1"),
                   fx_float(f, "2,4"));
    assert_shape(f, fx_run(f, node), "[N, 4]");
}

static void test_fold_gather_kin(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *grid = fx_shaped(f, fx_ints(f, "1,2,3,4"), "2,2");
    struct nmc_tensor *across = fx_shaped(f, fx_ints(f, "0,0,1,-1"), "2,2");
    struct nmc_node *node = fx_node(f, "GatherElements", grid, across);
    fx_attr_int(f, node, "axis", 1);
    assert_value(f, fx_run(f, node), "[1, 1, 4, 4]");
    node = fx_node(f, "GatherND", grid, fx_shaped(f, fx_ints(f, "1,0"), "1,2"));
    assert_value(f, fx_run(f, node), "[3]");
    node = fx_node(f, "GatherND", grid, fx_shaped(f, fx_ints(f, "-1"), "1,1"));
    assert_value(f, fx_run(f, node), "[3, 4]");
    /* A batch written over the first size of a shape. */
    node = fx_node(f, "ScatterND", fx_ints(f, "N,3,8"), fx_shaped(f, fx_ints(f, "0"), "1,1"),
                   fx_ints(f, "7"));
    assert_value(f, fx_run(f, node), "[7, 3, 8]");
    node = fx_node(f, "ScatterElements", fx_ints(f, "N,3,8"), fx_ints(f, "2,0"),
                   fx_tensor(f, NMC_ELEM_int64, "2"));
    assert_value(f, fx_run(f, node), "[?, 3, ?]");
    node = fx_node(f, "ScatterElements", fx_ints(f, "1,3"), fx_ints(f, "0"), fx_ints(f, "5"));
    fx_attr_string(f, node, "reduction", "add");
    assert_value(f, fx_run(f, node), "none");
    node = fx_node(f, "ScatterElements", fx_ints(f, "1,3"), fx_ints(f, "2"), fx_ints(f, "5"));
    assert_value(f, fx_run(f, node), "none");
}

static void test_selection(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "Compress", fx_float(f, "N,3"), fx_bools(f, "1,0,1"));
    fx_attr_int(f, node, "axis", 1);
    assert_shape(f, fx_run(f, node), "[N, 2]");
    node = fx_node(f, "Compress", fx_ints(f, "5,6,7"), fx_bools(f, "1,0,1"));
    assert_value(f, fx_run(f, node), "[5, 7]");
    node = fx_node(f, "Compress", fx_float(f, "N,3"), fx_tensor(f, NMC_ELEM_bool, "3"));
    assert_shape(f, fx_run(f, node), "[?]");
    assert_shape(f, fx_run(f, fx_node(f, "NonZero", fx_float(f, "N,3"))), "[2, ?]");
    struct nmc_tensor *grid = fx_shaped(f, fx_ints(f, "0,5,7,0"), "2,2");
    node = fx_node(f, "NonZero", grid);
    assert_value(f, fx_run(f, node), "[0, 1, 1, 0]");
    assert_out(f, node, 0, NMC_ELEM_int64, "[2, 2]");
    assert_value(f, fx_run(f, fx_node(f, "NonZero", fx_reals(f, "0,0.5,0,2"))), "[1, 3]");
    node = fx_node(f, "OneHot", fx_tensor(f, NMC_ELEM_int64, "N,3"), fx_int(f, "10"),
                   fx_reals(f, "0,1"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[N, 3, 10]");
    node = fx_node(f, "OneHot", fx_tensor(f, NMC_ELEM_int64, "N,3"), fx_real(f, "10"),
                   fx_bools(f, "0,1"));
    fx_attr_int(f, node, "axis", 0);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_bool, "[10, N, 3]");
    node = fx_node(f, "NonMaxSuppression", fx_float(f, "1,6,4"), fx_float(f, "1,1,6"));
    assert_shape(f, fx_run(f, node), "[?, 3]");
}

/* ConstantOfShape -> NonZero -> Transpose -> Squeeze counts up to a size. */
static void test_count_up(void **state) {
    struct fixture *f = *state;
    struct nmc_node *ones = fx_node(f, "ConstantOfShape", fx_ints(f, "N"));
    fx_attr_tensor(f, ones, "value", fx_reals(f, "1"));
    assert_shape(f, fx_run(f, fx_node(f, "NonZero", fx_run(f, ones))), "[1, N]");
    ones = fx_node(f, "ConstantOfShape", fx_ints(f, "3"));
    fx_attr_tensor(f, ones, "value", fx_reals(f, "1"));
    struct nmc_tensor *places = fx_run(f, fx_node(f, "NonZero", fx_run(f, ones)));
    struct nmc_tensor *column = fx_run(f, fx_node(f, "Transpose", places));
    struct nmc_node *list = fx_node(f, "Squeeze", column, fx_ints(f, "1"));
    assert_value(f, fx_run(f, list), "[0, 1, 2]");
    struct nmc_node *zeros = fx_node(f, "ConstantOfShape", fx_ints(f, "5000"));
    assert_shape(f, fx_run(f, fx_node(f, "NonZero", fx_run(f, zeros))), "[1, ?]");
}

static void test_top_k(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_nodes(f, "TopK", 2, fx_float(f, "N,9"), fx_ints(f, "4"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[N, 4]");
    assert_out(f, node, 1, NMC_ELEM_int64, "[N, 4]");
    fx_fails(f, fx_nodes(f, "TopK", 2, fx_float(f, "3"), fx_ints(f, "4")), "k is 4");
    f->opset = 1;
    node = fx_nodes(f, "TopK", 2, fx_float(f, "9,N"));
    fx_attr_int(f, node, "k", 2);
    fx_attr_int(f, node, "axis", 0);
    assert_shape(f, fx_run(f, node), "[2, N]");
}

static void test_unique(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_nodes(f, "Unique", 4, fx_float(f, "2,3"));
    assert_shape(f, fx_run(f, node), "[?]");
    assert_out(f, node, 1, NMC_ELEM_int64, "[?]");
    assert_out(f, node, 2, NMC_ELEM_int64, "[6]");
    node = fx_nodes(f, "Unique", 4, fx_float(f, "2,3"));
    fx_attr_int(f, node, "axis", 1);
    assert_shape(f, fx_run(f, node), "[2, ?]");
    assert_shape(f, node->outputs[2], "[3]");
}

static void test_pad(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node =
        fx_node(f, "Pad", fx_float(f, "N,3,8,8"), fx_ints(f, "0,0,1,2,0,0,1,-1"));
    assert_shape(f, fx_run(f, node), "[N, 3, 10, 9]");
    node =
        fx_node(f, "Pad", fx_float(f, "N,3,8,8"), fx_ints(f, "1,2,3,4"), NULL, fx_ints(f, "-1,1"));
    assert_shape(f, fx_run(f, node), "[N, 9, 8, 12]");
    node = fx_node(f, "Pad", fx_float(f, "N,3"), fx_tensor(f, NMC_ELEM_int64, "4"));
    assert_shape(f, fx_run(f, node), "[?, ?]");
    fx_fails(f, fx_node(f, "Pad", fx_float(f, "2,3"), fx_ints(f, "1,1")), "2 pads for 2 axes");
    fx_fails(f, fx_node(f, "Pad", fx_float(f, "2"), fx_ints(f, "-3,0")), "-1");
    fx_fails(f, fx_node(f, "Pad", fx_float(f, "2")), "no pads");
    f->opset = 2;
    node = fx_node(f, "Pad", fx_float(f, "2,3"));
    fx_attr_ints(f, node, "pads", "0,1,0,1");
    assert_shape(f, fx_run(f, node), "[2, 5]");
    f->opset = 1;
    node = fx_node(f, "Pad", fx_float(f, "2,3"));
    fx_attr_ints(f, node, "paddings", "0,1,0,2");
    assert_shape(f, fx_run(f, node), "[2, 6]");
}

static void test_crop(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "CenterCropPad", fx_float(f, "20,8,3"), fx_ints(f, "10,10"));
    fx_attr_ints(f, node, "axes", "0,1");
    assert_shape(f, fx_run(f, node), "[10, 10, 3]");
    fx_fails(f, fx_node(f, "CenterCropPad", fx_float(f, "20,8,3"), fx_ints(f, "10")), "1 sizes");
    f->opset = 1;
    node = fx_node(f, "Crop", fx_float(f, "N,3,20,30"));
    fx_attr_ints(f, node, "border", "1,2,3,4");
    assert_shape(f, fx_run(f, node), "[N, 3, 14, 26]");
    node = fx_node(f, "Crop", fx_float(f, "N,3,20,30"));
    fx_attr_ints(f, node, "border", "1,2,3,4");
    fx_attr_ints(f, node, "scale", "5,6");
    assert_shape(f, fx_run(f, node), "[N, 3, 5, 6]");
}

static void test_resize_scales(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node =
        fx_node(f, "Resize", fx_float(f, "N,3,5,7"), NULL, fx_reals(f, "1,1,2,1.5"));
    assert_shape(f, fx_run(f, node), "[N, 3, 10, 10]");
    f->opset = 18;
    node = fx_node(f, "Resize", fx_float(f, "N,3,5,7"), NULL, fx_reals(f, "2,0.6"));
    fx_attr_ints(f, node, "axes", "3,2");
    assert_shape(f, fx_run(f, node), "[N, 3, 3, 14]");
    f->opset = 10;
    node = fx_node(f, "Resize", fx_float(f, "2,3"), fx_reals(f, "3,0.5"));
    assert_shape(f, fx_run(f, node), "[6, 1]");
    node = fx_node(f, "Resize", fx_float(f, "2,3"), fx_tensor(f, NMC_ELEM_float32, "2"));
    assert_shape(f, fx_run(f, node), "[?, ?]");
    fx_fails(f, fx_node(f, "Resize", fx_float(f, "2,3"), fx_reals(f, "3")), "1 scales or sizes");
    fx_fails(f, fx_node(f, "Resize", fx_float(f, "2,3"), fx_reals(f, "-1,1")), "scaled by -1");
    fx_fails(f, fx_node(f, "Resize", fx_float(f, "2,3"), fx_reals(f, "1e30,1")), "scaled by 1e+30");
    fx_fails(f, fx_node(f, "Resize", fx_float(f, "2,3")), "neither scales nor sizes");
}

static void test_resize_sizes(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *none = fx_reals(f, "");
    struct nmc_node *node =
        fx_node(f, "Resize", fx_float(f, "N,3,5,7"), NULL, none, fx_ints(f, "N,3,9,11"));
    assert_shape(f, fx_run(f, node), "[N, 3, 9, 11]");
    f->opset = 18;
    node = fx_node(f, "Resize", fx_float(f, "N,3,4,8"), NULL, NULL, fx_ints(f, "10,10"));
    fx_attr_ints(f, node, "axes", "2,3");
    fx_attr_string(f, node, "keep_aspect_ratio_policy", "not_larger");
    assert_shape(f, fx_run(f, node), "[N, 3, 5, 10]");
    node = fx_node(f, "Resize", fx_float(f, "N,3,4,8"), NULL, NULL, fx_ints(f, "10,10"));
    fx_attr_ints(f, node, "axes", "2,3");
    fx_attr_string(f, node, "keep_aspect_ratio_policy", "not_smaller");
    assert_shape(f, fx_run(f, node), "[N, 3, 10, 20]");
}

static void test_upsample(void **state) {
    struct fixture *f = *state;
    f->opset = 9;
    struct nmc_node *node = fx_node(f, "Upsample", fx_float(f, "N,3,5,7"), fx_reals(f, "1,1,2,2"));
    assert_shape(f, fx_run(f, node), "[N, 3, 10, 14]");
    f->opset = 7;
    node = fx_node(f, "Upsample", fx_float(f, "N,3,5,7"));
    fx_attr_floats(f, node, "scales", "1,1,2,3");
    assert_shape(f, fx_run(f, node), "[N, 3, 10, 21]");
    f->opset = 1;
    node = fx_node(f, "Upsample", fx_float(f, "N,3,5,7"));
    fx_attr_float(f, node, "height_scale", 2);
    fx_attr_float(f, node, "width_scale", 4);
    assert_shape(f, fx_run(f, node), "[N, 3, 10, 28]");
}

static void test_blocks(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "DepthToSpace", fx_float(f, "N,12,5,H"));
    fx_attr_int(f, node, "blocksize", 2);
    assert_shape(f, fx_run(f, node), "[N, 3, 10, ?]");
    node = fx_node(f, "SpaceToDepth", fx_float(f, "N,3,10,8"));
    fx_attr_int(f, node, "blocksize", 2);
    assert_shape(f, fx_run(f, node), "[N, 12, 5, 4]");
    node = fx_node(f, "SpaceToDepth", fx_float(f, "N,3,9,8"));
    fx_attr_int(f, node, "blocksize", 2);
    fx_fails(f, node, "9 is no multiple of 2");
    fx_fails(f, fx_node(f, "DepthToSpace", fx_float(f, "1,4,2,2")), "blocksize is 0");
}

static void test_grids(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node =
        fx_node(f, "GridSample", fx_float(f, "N,3,5,6"), fx_float(f, "2,8,9,2"));
    assert_shape(f, fx_run(f, node), "[2, 3, 8, 9]");
    node = fx_node(f, "AffineGrid", fx_float(f, "N,2,3"), fx_ints(f, "N,3,5,6"));
    assert_shape(f, fx_run(f, node), "[N, 5, 6, 2]");
    node = fx_node(f, "AffineGrid", fx_float(f, "1,3,4"), fx_ints(f, "1,3,4,5,6"));
    assert_shape(f, fx_run(f, node), "[1, 4, 5, 6, 3]");
    node = fx_node(f, "Col2Im", fx_float(f, "N,12,25"), fx_ints(f, "10,10"), fx_ints(f, "2,2"));
    assert_shape(f, fx_run(f, node), "[N, 3, 10, 10]");
    assert_shape(f, fx_run(f, fx_node(f, "Det", fx_float(f, "N,4,4"))), "[N]");
    fx_fails(f, fx_node(f, "Det", fx_float(f, "N,4,5")), "no square matrices");
    node = fx_node(f, "ImageDecoder", fx_tensor(f, NMC_ELEM_uint8, "K"));
    fx_attr_string(f, node, "pixel_format", "Grayscale");
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_uint8, "[?, ?, 1]");
}

static void test_dft(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_node(f, "DFT", fx_float(f, "N,100,1"));
    fx_attr_int(f, node, "onesided", 1);
    assert_shape(f, fx_run(f, node), "[N, 51, 2]");
    node = fx_node(f, "DFT", fx_float(f, "N,100,1"), fx_int(f, "64"));
    assert_shape(f, fx_run(f, node), "[N, 64, 2]");
    f->opset = 20;
    node = fx_node(f, "DFT", fx_float(f, "N,5,100,1"), NULL, fx_int(f, "1"));
    assert_shape(f, fx_run(f, node), "[N, 5, 100, 2]");
    node = fx_node(f, "DFT", fx_float(f, "N,51,2"));
    fx_attr_int(f, node, "onesided", 1);
    fx_attr_int(f, node, "inverse", 1);
    assert_shape(f, fx_run(f, node), "[N, 100, 1]");
}

static void test_signals(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node =
        fx_node(f, "STFT", fx_float(f, "N,128,1"), fx_int(f, "8"), NULL, fx_int(f, "16"));
    assert_shape(f, fx_run(f, node), "[N, 15, 9, 2]");
    node = fx_node(f, "STFT", fx_float(f, "N,128,1"), fx_int(f, "8"), fx_float(f, "16"));
    fx_attr_int(f, node, "onesided", 0);
    assert_shape(f, fx_run(f, node), "[N, 15, 16, 2]");
    fx_fails(f, fx_node(f, "STFT", fx_float(f, "1,8,1"), fx_int(f, "1"), NULL, fx_int(f, "9")),
             "a frame of 9 in 8 samples");
    fx_fails(f, fx_node(f, "STFT", fx_float(f, "1,8,1"), fx_int(f, "0"), NULL, fx_int(f, "4")),
             "frame_step is 0");
    assert_shape(f, fx_run(f, fx_node(f, "HannWindow", fx_int(f, "10"))), "[10]");
    node = fx_node(f, "MelWeightMatrix", fx_int(f, "8"), fx_int(f, "16"), fx_int(f, "8192"),
                   fx_real(f, "0"), fx_real(f, "4096"));
    assert_shape(f, fx_run(f, node), "[9, 8]");
}

static void test_strings(void **state) {
    struct fixture *f = *state;
    struct nmc_tensor *text = fx_tensor(f, NMC_ELEM_string, "N,3");
    struct nmc_node *node = fx_nodes(f, "StringSplit", 2, text);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_string, "[N, 3, ?]");
    assert_out(f, node, 1, NMC_ELEM_int64, "[N, 3]");
    node = fx_node(f, "StringConcat", text, fx_tensor(f, NMC_ELEM_string, "3"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_string, "[N, 3]");
    node = fx_node(f, "RegexFullMatch", text);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_bool, "[N, 3]");
    assert_shape(f, fx_run(f, fx_node(f, "StringNormalizer", text)), "[N, 3]");
    node = fx_node(f, "TfIdfVectorizer", text);
    fx_attr_ints(f, node, "ngram_indexes", "0,4,2");
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[N, 5]");
}

static void test_random(void **state) {
    struct fixture *f = *state;
    struct nmc_node *node = fx_source(f, "RandomNormal");
    fx_attr_ints(f, node, "shape", "2,3");
    fx_attr_int(f, node, "dtype", NMC_ELEM_float64);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float64, "[2, 3]");
    node = fx_node(f, "RandomUniformLike", fx_tensor(f, NMC_ELEM_int64, "N,3"));
    fx_attr_int(f, node, "dtype", NMC_ELEM_float32);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[N, 3]");
    node = fx_node(f, "Bernoulli", fx_float(f, "N,3"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[N, 3]");
    node = fx_node(f, "Multinomial", fx_float(f, "N,3"));
    fx_attr_int(f, node, "sample_size", 5);
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_int32, "[N, 5]");
    node = fx_node(f, "EyeLike", fx_float(f, "4,N"));
    fx_run(f, node);
    assert_out(f, node, 0, NMC_ELEM_float32, "[4, N]");
    fx_fails(f, fx_source(f, "RandomUniform"), "no shape");
}

static void test_fills(void **state) {
    struct fixture *f = *state;
    f->opset = 1;
    struct nmc_node *node = fx_node(f, "ConstantFill", fx_ints(f, "2,N"));
    fx_attr_int(f, node, "input_as_shape", 1);
    fx_attr_ints(f, node, "extra_shape", "5");
    assert_shape(f, fx_run(f, node), "[2, N, 5]");
    node = fx_node(f, "ConstantFill", fx_float(f, "2,N"));
    assert_shape(f, fx_run(f, node), "[2, N]");
    node = fx_source(f, "GivenTensorFill");
    fx_attr_ints(f, node, "shape", "3,4");
    assert_shape(f, fx_run(f, node), "[3, 4]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OP_TEST(test_gather_kin),    OP_TEST(test_fold_gather_kin),
        OP_TEST(test_selection),     OP_TEST(test_count_up),
        OP_TEST(test_top_k),         OP_TEST(test_unique),
        OP_TEST(test_pad),           OP_TEST(test_crop),
        OP_TEST(test_resize_scales), OP_TEST(test_resize_sizes),
        OP_TEST(test_upsample),      OP_TEST(test_blocks),
        OP_TEST(test_grids),         OP_TEST(test_dft),
        OP_TEST(test_signals),       OP_TEST(test_strings),
        OP_TEST(test_random),        OP_TEST(test_fills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
