// Predictor: runs the prediction graph over batches of windows, with fixed noise for reproducible results.
import type { DonutShape, PredictOptions } from "../protocol.ts";
import { createRandom, normals } from "../random.ts";
import type { SessionCache } from "../sessions.ts";
import { drawLatents } from "./latent-samples.ts";
import { keyOf } from "./layout.ts";
import { buildPredictionModel, type Columns } from "./prediction-graph.ts";
import { feedCondition, type Rows } from "./windows.ts";

/** Columns (windows x samples) of one run: bounds the activations, as the WASM heap never shrinks. */
const MAX_COLUMNS = 16_384;

/** Points (windows x their length) of one run, for the same reason. */
const MAX_POINTS = 2 ** 21;

export interface Distribution {
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
  readonly nll: Float32Array;
}

interface Predictor {
  /** Largest number of windows per call. */
  readonly capacity: number;
  run(rows: Rows): Promise<Distribution>;
}

export async function createPredictor(
  sessions: SessionCache,
  network: { shape: DonutShape; params: Float32Array; columns: Columns },
  options: PredictOptions,
): Promise<Predictor> {
  const { shape, params, columns } = network;
  const samples = Math.max(1, options.samples);
  const key = `predict|${columns}|${keyOf(shape)}|${samples}`;
  const session = await sessions.get(key, () => buildPredictionModel(shape, { samples, columns }));
  const { noise, walk } = cachedNoise(shape, options);
  const run = async (rows: Rows): Promise<Distribution> => {
    const count = rows.x.length / shape.window;
    const out = await session.run({
      params: { data: params, dims: [params.length] },
      x: { data: rows.x, dims: [count, shape.window] },
      mask: { data: rows.mask, dims: [count, shape.window] },
      ...feedCondition(rows, shape, [count]),
      noise: { data: noise, dims: [shape.latent, samples] },
      walk: { data: walk, dims: [walk.length / shape.latent, shape.latent] },
      // Without missing points imputation has no effect.
      iterations: rows.mask.every((value) => value === 1) ? 0 : options.iterations,
    });
    return { mean: out.mean!, deviation: out.deviation!, nll: out.nll! };
  };
  const most = Math.min(MAX_COLUMNS / samples, MAX_POINTS / shape.window);
  return { capacity: Math.max(1, Math.floor(most)), run };
}

interface Noise {
  /** [Z, L]; zeros where there are no samples. */
  readonly noise: Float32Array;
  /** [M, Z] */
  readonly walk: Float32Array;
}

/** Noise by its options, so that a live window, which is scored alone, need not draw it. */
const noiseCache = new Map<string, Noise>();
const MAX_CACHED_NOISE = 16;

/** The noise of these options, drawn once and never written to. */
function cachedNoise({ latent }: DonutShape, { seed, samples, iterations }: PredictOptions): Noise {
  const key = `${latent} ${seed} ${samples} ${iterations}`;
  const known = noiseCache.get(key);
  if (known) return known;
  const random = createRandom(seed);
  const noise = samples === 0 ? new Float32Array(latent) : drawLatents(latent, samples, random);
  const made = { noise, walk: normals(Math.max(1, iterations) * latent, random) };
  if (noiseCache.size >= MAX_CACHED_NOISE) noiseCache.clear();
  noiseCache.set(key, made);
  return made;
}
