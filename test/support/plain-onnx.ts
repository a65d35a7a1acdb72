// An ONNX runtime as anybody has it: nothing here knows of this service, but for the file it made.
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";

// More than one thread hangs under Bun.
env.wasm.numThreads = 1;

export interface Scored {
  readonly nll: Float64Array;
  readonly score: Float64Array;
  /** Window after window. */
  readonly mean: Float64Array;
  readonly std: Float64Array;
}

/** Scores windows with an exported file. @param conditions one per window, where the file asks for them */
export async function scoreWindows(
  file: Uint8Array,
  windows: readonly (readonly number[])[],
  conditions?: readonly (readonly number[])[],
): Promise<Scored> {
  const session = await createSession(file);
  const feed = (rows: readonly (readonly number[])[]) =>
    new Tensor("float64", Float64Array.from(rows.flat()), [rows.length, rows[0]!.length]);
  const results = await session.run({
    window: feed(windows),
    ...(conditions && { condition: feed(conditions) }),
  });
  const copies = Object.entries(results).map(([name, { data }]) => [name, (data as Float64Array).slice()]);
  await session.release();
  return Object.fromEntries(copies) as Scored;
}

/** When it loads, the runtime puts Node's Worker in place of the platform's, which other tests start workers with. */
async function createSession(file: Uint8Array): Promise<InferenceSession> {
  const { Worker } = globalThis;
  const session = await InferenceSession.create(file, { executionProviders: ["wasm"] });
  globalThis.Worker = Worker;
  return session;
}
