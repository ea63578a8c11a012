#!/usr/bin/env python3
"""Makes the ONNX files beside it, for tests/unit/test_onnx_*.c: make.py [DIR].

Needs Debian's python3-onnx (1.12). What that version does not know yet (defaults of a function's
attributes, overloads) is appended as raw fields.
"""
import pathlib
import sys

import numpy as np
from onnx import AttributeProto, TensorProto as T, TypeProto, helper as h

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
OPSETS = [h.make_opsetid("", 13), h.make_opsetid("local", 1)]


def varint(n):
    out = b""
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def info(name, shape, dtype=T.FLOAT):
    return h.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs, outputs, functions=(), opsets=OPSETS, ir=8, **graph):
    g = h.make_graph(nodes, "g", inputs, outputs, graph.pop("initializer", []), **graph)
    m = h.make_model(g, opset_imports=opsets, functions=list(functions), producer_name="make.py")
    m.ir_version = ir
    return m


def save(name, m, extra=b""):
    (OUT / f"{name}.onnx").write_bytes(m.SerializeToString() + extra)


def function(name, inputs, outputs, nodes, attributes=(), domain="local"):
    return h.make_function(domain, name, inputs, outputs, nodes, [h.make_opsetid("", 15), h.make_opsetid("local", 1)],
                           attributes=list(attributes))


def call(op, inputs, outputs, **kw):
    return h.make_node(op, inputs, outputs, domain="local", **kw)


def ref(node, name, of, kind):
    node.attribute.append(AttributeProto(name=name, ref_attr_name=of, type=kind))
    return node


def functions():
    conv = ref(h.make_node("Conv", ["a", "w"], ["b"], name="conv"), "strides", "step", AttributeProto.INTS)
    conv = ref(conv, "group", "groups", AttributeProto.INT)
    inner = function("Inner", ["a", "w"], ["b"], [conv], ["step", "groups"])
    # the middle one passes its own attribute on, under another name, and gives none for groups
    passing = ref(call("Inner", ["p", "q"], ["r"], name="in"), "step", "pace", AttributeProto.INTS)
    outer = function("Outer", ["p", "q"], ["r"], [passing], ["pace"])
    nodes = [call("Outer", ["x", "w"], ["y"], name="first", pace=[2, 2]),
             call("Outer", ["y", "w"], ["z"])]
    m = model(nodes, [info("x", [1, 3, 8, 8])], [info("z", None)], [inner, outer],
              initializer=[h.make_tensor("w", T.FLOAT, [3, 3, 1, 1], np.zeros(9, "f4").tobytes(), raw=True)])
    save("function_nested", m)

    # attribute_proto (11): alpha is 0.25 unless the call says otherwise
    leaky = ref(h.make_node("LeakyRelu", ["a"], ["b"], name="act"), "alpha", "slope", AttributeProto.FLOAT)
    f = function("Act", ["a"], ["b"], [leaky]).SerializeToString()
    f += field(11, h.make_attribute("slope", 0.25).SerializeToString())
    m = model([call("Act", ["x"], ["y"], name="p"), call("Act", ["y"], ["z"], name="q", slope=0.5)],
              [info("x", [4])], [info("z", None)])
    save("function_default", m, field(25, f))

    # overload (8 of a node, 13 of a function)
    relu = function("F", ["a"], ["b"], [h.make_node("Relu", ["a"], ["b"])]).SerializeToString()
    tanh = function("F", ["a"], ["b"], [h.make_node("Tanh", ["a"], ["b"])]).SerializeToString()
    m = model([], [info("x", [4])], [info("y", None)])
    graph = m.graph.SerializeToString() + field(1, call("F", ["x"], ["y"], name="c").SerializeToString() + field(8, b"second"))
    m.ClearField("graph")
    save("function_overload", m, field(7, graph) + field(25, relu) + field(25, tanh + field(13, b"second")))

    # outputs that are inputs; an output nobody asks for; an input left away
    f = function("Pass", ["a", "b"], ["a", "c", "d"],
                 [h.make_node("Clip", ["a", "b"], ["c"]), h.make_node("Abs", ["c"], ["d"])])
    save("function_pass", model([call("Pass", ["x"], ["y", "z"], name="p")], [info("x", [4])],
                                [info("y", None), info("z", None)], [f]))

    # a subgraph inside a function reads the function's input
    then = h.make_graph([h.make_node("Relu", ["a"], ["t"], name="then")], "t", [], [info("t", None)])
    other = h.make_graph([h.make_node("Neg", ["a"], ["e"], name="else")], "e", [], [info("e", None)])
    f = function("Choose", ["a", "c"], ["b"],
                 [h.make_node("If", ["c"], ["b"], name="if", then_branch=then, else_branch=other)])
    save("function_subgraph", model([call("Choose", ["x", "c"], ["y"], name="f")],
                                    [info("x", [4]), info("c", [], T.BOOL)], [info("y", None)], [f]))

    # a subgraph handed to a function as an attribute reads the caller's names
    choose = h.make_node("If", ["c"], ["b"], name="if")
    ref(ref(choose, "then_branch", "yes", AttributeProto.GRAPH), "else_branch", "no", AttributeProto.GRAPH)
    f = function("Choose", ["c"], ["b"], [choose], ["yes", "no"])
    yes = h.make_graph([h.make_node("Relu", ["x"], ["t"], name="then")], "t", [], [info("t", None)])
    no = h.make_graph([h.make_node("Neg", ["x"], ["e"], name="else")], "e", [], [info("e", None)])
    save("function_graph_attribute", model([call("Choose", ["c"], ["y"], name="f", yes=yes, no=no)],
                                           [info("x", [4]), info("c", [], T.BOOL)], [info("y", None)], [f]))

    # neurons: a pure one stays, one with a convolution inside does not
    steps = [h.make_node("Add", ["v", "x"], ["h"]), h.make_node("GreaterOrEqual", ["h", "th"], ["b"]),
             h.make_node("Cast", ["b"], ["s"], to=T.FLOAT)]
    lif = function("LIF", ["x", "v", "th"], ["s"], steps)
    conv_steps = [h.make_node("Conv", ["x", "w"], ["c"])] + [
        h.make_node("Add", ["v", "c"], ["h"]), h.make_node("Relu", ["h"], ["s"])]
    alif = function("ALIF", ["x", "w", "v"], ["s"], conv_steps)
    mine = function("Spiker", ["x", "v", "th"], ["s"], steps)
    m = model([call("LIF", ["x", "v", "th"], ["s"], name="n1"), call("ALIF", ["s", "w", "v"], ["t"], name="n2"),
               call("Spiker", ["t", "v", "th"], ["u"], name="n3")],
              [info("x", [1, 2, 4, 4]), info("v", [1, 2, 4, 4]), info("th", []), info("w", [2, 2, 1, 1])],
              [info("u", None)], [lif, alif, mine])
    save("function_soma", m)

    # each function calls the next twice: 2^30 nodes from two kilobytes
    chain = [function(f"F{i}", ["a"], ["c"], [call(f"F{i + 1}", ["a"], ["b"]), call(f"F{i + 1}", ["b"], ["c"])])
             for i in range(30)]
    chain.append(function("F30", ["a"], ["c"], [h.make_node("Relu", ["a"], ["c"])]))
    save("function_doubling", model([call("F0", ["x"], ["y"], name="top")], [info("x", [4])], [info("y", None)], chain))

    # a chain of 40 functions, each calling the next
    chain = [function(f"F{i}", ["a"], ["b"], [call(f"F{i + 1}", ["a"], ["b"])]) for i in range(40)]
    chain.append(function("F40", ["a"], ["b"], [h.make_node("Relu", ["a"], ["b"])]))
    save("function_deep", model([call("F0", ["x"], ["y"], name="top")], [info("x", [4])], [info("y", None)], chain))

    # a recursion by way of a subgraph
    again = h.make_graph([call("Rec", ["a"], ["t"])], "t", [], [info("t", None)])
    f = function("Rec", ["a"], ["b"], [h.make_node("If", ["a"], ["b"], then_branch=again, else_branch=again)])
    save("function_recursive_subgraph", model([call("Rec", ["x"], ["y"])], [info("x", [], T.BOOL)], [info("y", None)], [f]))

    f = function("Lazy", ["a"], ["b"], [h.make_node("Relu", ["a"], ["c"])])
    save("function_no_output", model([call("Lazy", ["x"], ["y"], name="l")], [info("x", [4])], [info("y", None)], [f]))
    f = function("One", ["a"], ["b"], [h.make_node("Relu", ["a"], ["b"])])
    save("function_many_inputs", model([call("One", ["x", "x"], ["y"], name="l")], [info("x", [4])], [info("y", None)], [f]))


def attributes():
    graph = h.make_graph([h.make_node("Relu", ["x"], ["t"])], "body", [], [info("t", None)])
    node = h.make_node("Everything", ["x"], ["y"], name="n", domain="com.example", f=1.5, i=-7, s="text",
                       t=h.make_tensor("", T.INT32, [2], [3, 4]), g=graph, floats=[0.5, -2.0], ints=[1, -1, 1 << 40],
                       strings=["a", "bc"], graphs=[graph, graph])
    node.attribute.append(AttributeProto(name="empty_ints", type=AttributeProto.INTS))
    sparse = h.make_sparse_tensor(h.make_tensor("", T.FLOAT, [1], [2.0]), h.make_tensor("", T.INT64, [1], [5]), [3, 4])
    node.attribute.append(h.make_attribute("sparse", sparse))
    dangling = AttributeProto(name="dangling", ref_attr_name="nothing", type=AttributeProto.INT)
    node.attribute.append(dangling)
    save("attributes", model([node], [info("x", [4])], [info("y", None)]))

    # IR version 1 had no AttributeProto.type
    node = h.make_node("Conv", ["x", "w"], ["y"], name="n", kernel_shape=[3, 3], group=1, auto_pad="VALID", f=2.0)
    for a in node.attribute:
        a.ClearField("type")
    m = model([node], [info("x", [1, 1, 8, 8]), info("w", [1, 1, 3, 3])], [info("y", None)], ir=1, opsets=[])
    m.ClearField("opset_import")
    save("attributes_untyped", m)


def constants():
    def constant(name, **kw):
        return h.make_node("Constant", [], [name], name=name, **kw)
    sparse = h.make_sparse_tensor(h.make_tensor("", T.FLOAT, [1], [2.0]), h.make_tensor("", T.INT64, [1], [5]), [3, 4])
    nodes = [constant("tensor", value=h.make_tensor("", T.INT64, [2, 2], [1, 2, 3, -(1 << 63)])),
             constant("int", value_int=9), constant("ints", value_ints=[1, 2, 3]),
             constant("float", value_float=0.5), constant("floats", value_floats=[1.0, 0.25]),
             constant("string", value_string="s"), constant("strings", value_strings=["a", "b"]),
             h.make_node("Constant", [], ["sparse"], name="sparse")]
    nodes[-1].attribute.append(h.make_attribute("sparse_value", sparse))
    save("constants", model(nodes, [], [info(n.output[0], None) for n in nodes]))


def values():
    """One initializer per type, once as raw_data and once in its typed field; values 1 and 2, or -1 and 2."""
    inits = []
    raw = {T.FLOAT: "f4", T.DOUBLE: "f8", T.FLOAT16: "f2", T.INT8: "i1", T.INT16: "i2", T.INT32: "i4", T.INT64: "i8",
           T.UINT8: "u1", T.UINT16: "u2", T.UINT32: "u4", T.UINT64: "u8", T.BOOL: "u1"}
    for code, kind in raw.items():
        first = 1 if kind[0] == "u" else -1
        name = T.DataType.Name(code).lower()
        inits.append(h.make_tensor(name + "_raw", code, [2], np.array([first, 1 if code == T.BOOL else 2], kind).tobytes(), raw=True))
        inits.append(h.make_tensor(name + "_typed", code, [2], [first, 1 if code == T.BOOL else 2]))
    inits.append(h.make_tensor("bfloat16_raw", T.BFLOAT16, [2], np.array([0xbf80, 0x4000], "u2").tobytes(), raw=True))
    half = T(name="half_subnormal", data_type=T.FLOAT16, dims=[4])
    half.raw_data = np.array([0x0001, 0x03ff, 0x7c00, 0xc500], "u2").tobytes()
    inits.append(half)
    for code, name in ((21, "uint4"), (22, "int4")):
        nibbles = T(name=name + "_raw", data_type=code, dims=[3])
        nibbles.raw_data = bytes([0x2f, 0x07])  # 15 or -1, 2, 7
        inits.append(nibbles)
    inits.append(T(name="external", data_type=T.FLOAT, dims=[2], data_location=T.EXTERNAL))
    inits.append(T(name="stripped", data_type=T.FLOAT, dims=[2]))
    inits.append(h.make_tensor("large", T.FLOAT, [4097], np.zeros(4097, "f4").tobytes(), raw=True))
    inits.append(h.make_tensor("largest", T.FLOAT, [4096], np.zeros(4096, "f4").tobytes(), raw=True))
    inits.append(h.make_tensor("none", T.INT64, [0], []))
    inits.append(h.make_tensor("scalar", T.INT64, [], [5]))
    inits.append(h.make_tensor("text", T.STRING, [1], [b"x"]))
    inits.append(T(name="future", data_type=99, dims=[2], raw_data=b"ab"))
    save("values", model([], [info("x", [1])], [info("x", [1])], initializer=inits))


def types():
    tensor = h.make_tensor_type_proto(T.FLOAT, ["N", 3])
    mapping = TypeProto()
    mapping.map_type.key_type = T.INT64
    mapping.map_type.value_type.CopyFrom(tensor)
    inputs = [h.make_value_info("seq", h.make_sequence_type_proto(tensor)),
              h.make_value_info("opt", h.make_optional_type_proto(tensor)),
              h.make_value_info("optseq", h.make_optional_type_proto(h.make_sequence_type_proto(tensor))),
              h.make_value_info("map", mapping),
              h.make_value_info("sparse", h.make_sparse_tensor_type_proto(T.DOUBLE, [5, 6])),
              info("dims", ["N", "M", None, -1, 0, "None", "None"]), info("norank", None), info("scalar", [])]
    nodes = [h.make_node("Identity", ["dims"], ["a"]), h.make_node("Identity", ["a"], ["b"])]
    save("types", model(nodes, inputs, [info("b", ["M", 0, "K"])], value_info=[info("a", ["N", 7], T.DOUBLE), info("ghost", [1])]))


def graphs():
    w = h.make_tensor("w", T.FLOAT, [1], [1.0])
    x, y = info("x", [1]), info("y", None)
    add = h.make_node("Add", ["x", "w"], ["y"], name="a")
    save("opset_twice", model([add], [x, info("w", [1])], [y], opsets=[h.make_opsetid("", 18), h.make_opsetid("ai.onnx", 18),
                                                                     h.make_opsetid("", 15), h.make_opsetid("com.x", 1)]))
    save("initializer_twice", model([add], [x], [y], initializer=[w, w]))
    save("initializer_twice_differs", model([add], [x], [y], initializer=[w, h.make_tensor("w", T.FLOAT, [2], [1.0, 2.0])]))
    save("input_twice", model([add], [x, x, info("w", [1])], [y]))
    save("produced_twice", model([add, h.make_node("Relu", ["x"], ["y"], name="b")], [x, info("w", [1])], [y]))
    save("makes_input", model([add, h.make_node("Relu", ["y"], ["x"], name="b")], [x, info("w", [1])], [y]))
    save("makes_initializer", model([h.make_node("Relu", ["x"], ["w"], name="b"), add], [x], [y], initializer=[w]))
    save("output_undefined", model([add], [x, info("w", [1])], [info("z", None)]))
    save("undefined_twice", model([h.make_node("Add", ["p", "q"], ["y"], name="a")], [x], [y]))
    save("ai_onnx", model([h.make_node("Relu", ["x"], ["y"], name="a", domain="ai.onnx")], [x], [y],
                          opsets=[h.make_opsetid("ai.onnx", 12)]))
    save("names", model([h.make_node("Relu", ["x\"\n\x1b"], ["\u00e9"], name="q\"uote\nline"),
                         h.make_node("Relu", ["\u00e9"], ["y"])], [info("x\"\n\x1b", [1])], [y]))
    sparse = h.make_sparse_tensor(h.make_tensor("w", T.FLOAT, [1], [2.0]), h.make_tensor("", T.INT64, [1], [5]), [3, 4])
    save("sparse_initializer", model([add], [x], [y], sparse_initializer=[sparse]))
    save("pass_through", model([], [x], [x]))
    # a body that shadows a name of the outer graph, and one that reads what is made after it
    body = h.make_graph([h.make_node("Neg", ["late"], ["y2"], name="n1"), h.make_node("Neg", ["y2"], ["late2"], name="n2")],
                        "b", [], [info("late2", None)])
    shadow = h.make_graph([h.make_node("Neg", ["x"], ["late"], name="n3"), h.make_node("Abs", ["late"], ["o"], name="n4")],
                          "b", [], [info("o", None)])
    nodes = [h.make_node("If", ["c"], ["y"], name="if", then_branch=body, else_branch=shadow),
             h.make_node("Relu", ["x"], ["late"], name="made_later")]
    save("scopes", model(nodes, [x, info("c", [], T.BOOL)], [y]))
    body = h.make_graph([h.make_node("Neg", ["nowhere"], ["t"], name="inside")], "b", [], [info("t", None)])
    save("undefined_in_body", model([h.make_node("If", ["c"], ["y"], name="if", then_branch=body, else_branch=body)],
                                    [info("c", [], T.BOOL)], [y]))
    # the body's result comes round to what the body reads
    body = h.make_graph([h.make_node("Neg", ["z"], ["t"], name="inside")], "b", [], [info("t", None)])
    save("cycle_through_body", model([h.make_node("If", ["c"], ["y"], name="if", then_branch=body, else_branch=body),
                                      h.make_node("Relu", ["y"], ["z"], name="r")], [info("c", [], T.BOOL)], [y]))


def depth():
    """32 nested Ifs are the most; 33 and 1000 are too many."""
    def nested(levels):
        g = h.make_graph([h.make_node("Relu", ["x"], ["o"])], "leaf", [], [info("o", None)])
        for _ in range(levels):
            g = h.make_graph([h.make_node("If", ["c"], ["o"], then_branch=g)], "g", [], [info("o", None)])
        return model(g.node, [info("x", [1]), info("c", [], T.BOOL)], g.output)
    save("nested_32", nested(32))
    save("nested_33", nested(33))


for make in (functions, attributes, constants, values, types, graphs, depth):
    make()
