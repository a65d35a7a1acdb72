// World of the tests of heads: random writes, what a bucket has to answer afterwards, and copies as a crash leaves them.
import { cpSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Range } from "../../../src/core/series/grid.ts";
import type { FieldValue, Point } from "../../../src/core/series/query.ts";
import { type BucketFile, visitFields } from "../../../src/tsdb/index.ts";
import { createRandom } from "../../../wasm/random.ts";

export const target = { measurement: "m", cutoffAt: -Infinity };
/** So small that a few writes fill a head, and a flush takes several parts. */
export const smallLimits = { points: 120, fields: 40, ageMs: 60_000 };
const [FIELDS, STEP_MS] = [5, 1000];
const everything = { fromAt: -1e12, toAt: 1e12 };

/** Values by field and time; texts and booleans are none of PromQL's. */
export type Expected = Map<string, Map<number, number>>;

/** Writes of a sender: mostly in order, at times late, again, as text, or special. */
export function createSender(seed: number) {
  const { below } = createRandom(seed);
  let step = 0;
  const pickValue = (): FieldValue => {
    const kind = below(30);
    if (kind === 0) return "text";
    if (kind === 1) return true;
    return below(1000) / 10;
  };
  return {
    below,
    /** A few steps, mostly the last ones. */
    pickRange(): Range {
      const fromAt = (step - below(below(3) === 0 ? step + 1 : 8)) * STEP_MS;
      return { fromAt, toAt: fromAt + below(10) * STEP_MS };
    },
    next(): Point[] {
      step += 1 + below(3);
      return Array.from({ length: 1 + below(12) }, (): Point => {
        const isLate = below(6) === 0;
        const at = (isLate ? below(step + 1) : step) * STEP_MS;
        const field = `f${below(FIELDS)}`;
        const special = below(40) === 0;
        if (special) return { at, fields: { [field]: Infinity }, tags: {}, special: "value" };
        return { at, fields: { [field]: pickValue() }, tags: {} };
      });
    },
  };
}

export function expectPoints(expected: Expected, points: readonly Point[]): void {
  for (const { at, fields } of points)
    for (const [field, value] of Object.entries(fields)) {
      const known = expected.get(field) ?? new Map<number, number>();
      expected.set(field, known);
      if (typeof value === "number") known.set(at, value);
      else known.delete(at);
    }
}

/** The numbers of a file in a range, by field and in order of time. */
export async function readAll(
  file: BucketFile,
  range: Range = everything,
): Promise<Record<string, [number, number][]>> {
  const found: Record<string, [number, number][]> = {};
  const query = { matches: () => true, tags: [] };
  const { signal } = new AbortController();
  await file.read((snapshot) =>
    visitFields(
      snapshot,
      { query, sinceAt: -Infinity },
      async ({ fields, read }) => {
        const samples = await read([...fields.keys()], range, () => {});
        for (const [place, { times, values }] of samples.entries())
          if (times.length > 0 && fields[place]!.hasPoints(range))
            found[fields[place]!.field] = [...times].map((at, i) => [at, values[i]!]);
      },
      signal,
    ),
  );
  return found;
}

export function listOf(
  expected: Expected,
  { fromAt, toAt }: Range = everything,
): Record<string, [number, number][]> {
  const list = [...expected].map(([field, values]): [string, [number, number][]] => {
    const within = [...values].filter(([at]) => at >= fromAt && at < toAt);
    return [field, within.sort(([a], [b]) => a - b)];
  });
  return Object.fromEntries(list.filter(([, values]) => values.length > 0));
}

/** Copies a bucket's files as they are now: what a process that is killed leaves. @returns the path of the copy */
export function copyFiles(path: string, folder: string): string {
  for (const file of readdirSync(dirname(path)))
    if (file.startsWith(basename(path)) && !file.endsWith("-shm"))
      cpSync(join(dirname(path), file), join(folder, file));
  return join(folder, basename(path));
}
