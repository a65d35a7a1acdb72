// Range of the chart: that of the address, else around the anomaly it names, else of the data there is.
import { signal } from "@preact/signals";
import { coverageOf } from "../../lib/coverage.ts";
import { seriesParam } from "../../lib/fleet.ts";
import { type Range, rangeOfData, readRange, spans } from "../../lib/range.ts";
import { serverNow } from "../clock.ts";
import { route } from "../route.ts";
import { readFolded } from "./folded.ts";

/** Cells of the look for data: of a week each is an hour, and half an hour. */
const CELLS = 300;
const YEAR = 365 * 86_400;
/** Seconds of data that are looked at again, in shorter cells. */
const YOUNG = 86_400;

/** Of an address without a range; undefined until the anomaly or the data is known. */
export const rangeByData = signal<Range | undefined>(undefined);

/** The range that the address asks for. */
export function currentRange(): Range {
  return readRange(route.value.params, serverNow(), rangeByData.value);
}

/** Looks for the data of the last days, and where there is none of the last year. @throws Problem */
export async function findData(
  name: string,
  series: string | undefined,
  signal: AbortSignal,
): Promise<Range> {
  const now = serverNow();
  const look = async (seconds: number) => {
    const query = `from=${Math.floor(now - seconds)}&points=${CELLS}&parts=observed${seriesParam(series)}`;
    return coverageOf(await readFolded(name, query, signal));
  };
  const found = (await look(spans["7d"])) ?? (await look(YEAR));
  // The cells of a week are longer than the first minutes of a series.
  const isYoung = found !== undefined && now - found.from < YOUNG;
  return rangeOfData(isYoung ? await look(now - found.from) : found, now);
}
