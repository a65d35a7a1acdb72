// What is in CSV files: columns, values of those that hold text, first and last row.
import { toNumber } from "../../core/csv-reader.ts";
import type { Exploration, ExploredMeasurement, ExploreLimits, Finding } from "../kind.ts";
import { createPacer } from "../pace.ts";
import type { Batch } from "./scan.ts";

/** The newest row of all files. */
export async function probeFiles(scan: () => AsyncIterable<Batch>, signal: AbortSignal): Promise<Finding> {
  const pace = createPacer(signal);
  let newestAt = Number.NEGATIVE_INFINITY;
  for await (const { rows } of scan()) {
    for (const { at } of rows) newestAt = Math.max(newestAt, at);
    await pace();
  }
  return { newestAt: Number.isFinite(newestAt) ? newestAt : null };
}

/** What has been seen of one file. */
interface Seen {
  readonly columns: ReadonlyMap<string, number>;
  readonly numbers: Set<string>;
  readonly texts: Map<string, Set<string>>;
  firstAt: number;
  lastAt: number;
}

/** A column that ever holds text is a tag, one that holds numbers alone a field; a file is a measurement. */
export async function exploreFiles(
  scan: () => AsyncIterable<Batch>,
  { limits, measurement }: { readonly limits: ExploreLimits; readonly measurement?: string },
  signal: AbortSignal,
): Promise<Exploration> {
  const pace = createPacer(signal);
  const byName = new Map<string, Seen>();
  let truncated = false;
  for await (const batch of scan()) {
    await pace();
    if (measurement !== undefined && batch.measurement !== measurement) continue;
    const known = byName.get(batch.measurement);
    if (!known && byName.size >= limits.measurements) truncated = true;
    else byName.set(batch.measurement, look(known ?? begin(batch), batch, limits));
  }
  const measurements = [...byName].map(([name, seen]) => describe(name, seen, limits));
  const isOver = ({ columns, texts }: Seen) =>
    columns.size - texts.size > limits.names ||
    texts.size > limits.names ||
    [...texts.values()].some((values) => values.size > limits.values);
  return { measurements, truncated: truncated || [...byName.values()].some(isOver) };
}

function begin({ columns }: Batch): Seen {
  return { columns, numbers: new Set(), texts: new Map(), firstAt: Infinity, lastAt: -Infinity };
}

function look(seen: Seen, { columns, rows }: Batch, { values: limit }: ExploreLimits): Seen {
  for (const { at, cells } of rows) {
    seen.firstAt = Math.min(seen.firstAt, at);
    seen.lastAt = Math.max(seen.lastAt, at);
    for (const [name, place] of columns) {
      const value = toNumber(cells[place]!);
      if (value === undefined) continue;
      if (!Number.isNaN(value)) seen.numbers.add(name);
      else {
        const values = seen.texts.get(name) ?? new Set();
        // One more than may be listed tells that there are more.
        if (values.size <= limit) values.add(cells[place]!);
        seen.texts.set(name, values);
      }
    }
  }
  return seen;
}

function describe(name: string, seen: Seen, { names, values }: ExploreLimits): ExploredMeasurement {
  const fields = [...seen.columns.keys()].filter(
    (column) => seen.numbers.has(column) && !seen.texts.has(column),
  );
  const tags = [...seen.texts].slice(0, names);
  return {
    name,
    fields: fields.slice(0, names).map((column) => ({ name: column, type: "number" })),
    tags: tags.map(([column, found]) => ({ name: column, values: [...found].slice(0, values) })),
    firstAt: Number.isFinite(seen.firstAt) ? seen.firstAt : null,
    lastAt: Number.isFinite(seen.lastAt) ? seen.lastAt : null,
  };
}
