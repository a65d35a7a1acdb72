// Two versions of a model, both evaluated on the same range.
import type { VersionSeries } from "../lib/version-quality.ts";
import { readFolded } from "./chart/folded.ts";
import { serverNow } from "./clock.ts";

/** Intervals that the server evaluates for one answer. */
const MAX_INTERVALS = 10_000;

/** @param back seconds before now; shortened to what is evaluated. @throws Problem */
export async function readVersions(
  model: string,
  versions: readonly string[],
  {
    back,
    interval,
    signal,
  }: { readonly back: number; readonly interval: number; readonly signal: AbortSignal },
): Promise<readonly VersionSeries[]> {
  const to = Math.floor(serverNow() / interval) * interval;
  const from = to - Math.min(back, MAX_INTERVALS * interval);
  const query = `from=${from}&to=${to}&points=${MAX_INTERVALS}&parts=observed;expected;score`;
  const read = async (version: string): Promise<VersionSeries> => {
    const own = `${query}&version=${encodeURIComponent(version)}`;
    const { from, step, features = {}, expected = {}, score = [] } = await readFolded(model, own, signal);
    const observed = Object.fromEntries(Object.entries(features).map(([name, { mean }]) => [name, mean]));
    return { from, step, observed, expected, score };
  };
  return Promise.all(versions.map(read));
}
