// ONNX Runtime driven from node: node run_node.js MODULES MODEL VALUES.json OUT
// Runs MODEL on the inputs of VALUES.json (as `neuromc run --outputs` writes them) on one thread and
// writes the bytes of every output to OUT, one after the other.
const fs = require('fs');
const path = require('path');

const [modules, model, values, out] = process.argv.slice(2);
const ort = require(path.join(path.resolve(modules), 'onnxruntime-node'));
const arrays = { float32: Float32Array, float64: Float64Array, int32: Int32Array, uint8: Uint8Array };

function tensor(input) {
    if (input.type === 'int64')
        return new ort.Tensor('int64', BigInt64Array.from(input.data.map(BigInt)), input.shape);
    return new ort.Tensor(input.type, arrays[input.type].from(input.data), input.shape);
}

async function main() {
    const given = JSON.parse(fs.readFileSync(values));
    const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
    const feeds = {};
    for (const input of given.inputs)
        feeds[input.name] = tensor(input);
    const results = await session.run(feeds);
    const bytes = given.outputs.map(({ name }) => {
        const data = results[name].data;
        return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    });
    fs.writeFileSync(out, Buffer.concat(bytes));
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
