// ONNX Runtime Web on its WASM backend: sessions fed with plain typed arrays, one run at a time.
import wasmFile from "onnxruntime-web/ort-wasm-simd-threaded.wasm" with { type: "file" };
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";

/** A tensor to feed: Float32Array = float, number = int64 scalar. */
export type Feed = { readonly data: Float32Array; readonly dims: readonly number[] } | number;

let runtime: Promise<WebAssembly.Module> | undefined;

/**
 * Loads the runtime once per thread.
 * @param compiled by another thread; absent: it is compiled from the embedded file, which takes most of a second
 */
export function loadRuntime(compiled?: WebAssembly.Module): Promise<WebAssembly.Module> {
  runtime ??= (async () => {
    const module = compiled ?? (await WebAssembly.compile(await Bun.file(wasmFile).arrayBuffer()));
    handOver(module);
    // More than one thread hangs under Bun; parallelism comes from several workers.
    env.wasm.numThreads = 1;
    env.logLevel = "error";
    return module;
  })();
  return runtime;
}

/** The library takes bytes only: its first instantiation gets the module in their place. */
function handOver(module: WebAssembly.Module): void {
  const { instantiate } = WebAssembly;
  const instantiateModule = async (_bytes: unknown, imports?: Parameters<typeof instantiate>[1]) => {
    WebAssembly.instantiate = instantiate;
    return { module, instance: await instantiate(module, imports) };
  };
  WebAssembly.instantiate = instantiateModule as typeof instantiate;
  env.wasm.wasmBinary = new ArrayBuffer(8);
}

/** A compiled model. Runs must not overlap within a thread, not even of different sessions. */
export class Session {
  private constructor(private readonly session: InferenceSession) {}

  static async create(model: Uint8Array): Promise<Session> {
    await loadRuntime();
    // 'all' would fuse Gemm and Relu into a kernel with a slow scalar Relu.
    const options = {
      graphOptimizationLevel: "basic",
      executionProviders: ["wasm"],
      logSeverityLevel: 3,
    } as const;
    return new Session(await InferenceSession.create(model, options));
  }

  /** Names of the inputs that the outputs depend on. */
  get inputNames(): readonly string[] {
    return this.session.inputNames;
  }

  /** @returns the outputs by name, copied from the WASM heap */
  async run(feeds: Readonly<Record<string, Feed>>): Promise<Readonly<Record<string, Float32Array>>> {
    const tensors = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, toTensor(feed)]));
    const results = await this.session.run(tensors);
    for (const tensor of Object.values(tensors)) tensor.dispose();
    return Object.fromEntries(
      Object.entries(results).map(([name, tensor]) => [name, tensor.data as Float32Array]),
    );
  }

  release(): Promise<void> {
    return this.session.release();
  }
}

function toTensor(feed: Feed): Tensor {
  if (typeof feed === "number") return new Tensor("int64", BigInt64Array.of(BigInt(feed)), []);
  return new Tensor("float32", feed.data, feed.dims);
}
