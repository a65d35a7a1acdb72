// Labelled series, and copies with outliers in their training part.
import { join } from "node:path";
import { createRandom } from "../../../wasm/random.ts";
import { readFolder, type Series } from "../../eval/series.ts";

const data = join(import.meta.dir, "../../data/eval");
const DAY_S = 86_400;

export type Contamination = (values: Float64Array, step: number) => Float64Array;

/** One point in fifty moved by 5 to 20 deviations, to either side. */
export const spikes: Contamination = (values) => {
  const random = createRandom(17);
  const deviation = deviationOf(values);
  return values.map((value) => {
    const [chance, size, side] = [random.uniform(), random.uniform(), random.uniform()];
    return chance < 0.02 ? value + (side < 0.5 ? -1 : 1) * (5 + 15 * size) * deviation : value;
  });
};

/** One day, in the middle, higher by five deviations. */
export const shiftedDay: Contamination = (values, step) => {
  const from = values.length >> 1;
  const to = from + Math.round(DAY_S / step);
  const deviation = deviationOf(values);
  return values.map((value, i) => (i >= from && i < to ? value + 5 * deviation : value));
};

/** An open series by a part of its name. */
export async function openSeries(name: string): Promise<Series> {
  const found = (await readFolder(data)).find((series) => series.name.includes(name));
  if (!found) throw new Error(`no series ${name}`);
  return found;
}

/** A daily sine with noise, a labelled spike now and then in its second half. */
export function makeSynthetic(): Series {
  const random = createRandom(23);
  const step = 900;
  const length = (40 * DAY_S) / step;
  const labels = new Uint8Array(length);
  for (let i = length / 2 + 57; i < length; i += 143) labels[i] = 1;
  const values = Float64Array.from(
    { length },
    (_, i) => 100 + 20 * Math.sin((2 * Math.PI * i * step) / DAY_S) + 2 * random.normal() + 15 * labels[i]!,
  );
  return { name: "synthetic", group: "synthetic", step, startAt: 0, values, labels, rows: [] };
}

function deviationOf(values: Float64Array): number {
  const present = values.filter(Number.isFinite);
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
  return Math.sqrt(present.reduce((sum, value) => sum + (value - mean) ** 2, 0) / present.length);
}
