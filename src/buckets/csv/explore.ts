// Exploring CSV files: columns, values of text columns, first and last row.
import { toNumber } from "../../core/formats/csv-reader.ts";
import { createYielder } from "../../runtime/steps.ts";
import type {
  Exploration,
  ExploredMeasurement,
  ExploreLimits,
  ExploreOptions,
  ProbeResult,
} from "../kind.ts";
import { chooseFields, chooseValues, toTagExploration } from "../shared/choose.ts";
import type { Batch } from "./scan.ts";

/** The newest row of all files. */
export async function probeFiles(
  scan: () => AsyncIterable<Batch>,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const yieldNow = createYielder(signal);
  let newestAt = Number.NEGATIVE_INFINITY;
  for await (const { rows } of scan()) {
    for (const { at } of rows) newestAt = Math.max(newestAt, at);
    await yieldNow();
  }
  return { newestAt: Number.isFinite(newestAt) ? newestAt : null };
}

/** Statistics of one file. */
interface Seen {
  readonly columns: ReadonlyMap<string, number>;
  readonly numbers: Set<string>;
  readonly texts: Map<string, Set<string>>;
  firstAt: number;
  lastAt: number;
}

/** Columns with any text are tags, numeric columns are fields; each file is a measurement. */
export async function exploreFiles(
  scan: () => AsyncIterable<Batch>,
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  if (options.tag !== undefined) return exploreTag(scan, { ...options, tag: options.tag }, signal);
  const { limits, measurement, skip } = options;
  const yieldNow = createYielder(signal);
  const byName = new Map<string, Seen>();
  let truncated = false;
  for await (const batch of scan()) {
    await yieldNow();
    if (measurement !== undefined && batch.measurement !== measurement) continue;
    const known = byName.get(batch.measurement);
    if (!known && skip === undefined && byName.size >= limits.measurements) truncated = true;
    else byName.set(batch.measurement, look(known ?? begin(batch), batch, limits));
  }
  const fields = chooseFields(
    [...byName].flatMap(([name, seen]) =>
      listFields(seen).map((field) => ({ measurement: name, name: field })),
    ),
    options,
  );
  const byMeasurement = Map.groupBy(fields.chosen, (field) => field.measurement);
  const shown = [...byName].filter(([name]) => byMeasurement.has(name) || isPlain(options));
  const isOver = ([, { texts }]: readonly [string, Seen]) =>
    texts.size > limits.names || [...texts.values()].some((values) => values.size > limits.values);
  return {
    measurements: shown.map(([name, seen]) => describe(name, seen, byMeasurement.get(name) ?? [], limits)),
    truncated: truncated || fields.truncated || shown.some(isOver),
  };
}

/** Whether files without fields are listed too. */
function isPlain({ skip, search, field }: ExploreOptions): boolean {
  return skip === undefined && search === undefined && field === undefined;
}

/** The values of a column, of all rows. */
async function exploreTag(
  scan: () => AsyncIterable<Batch>,
  options: ExploreOptions & { readonly tag: string },
  signal: AbortSignal,
): Promise<Exploration> {
  const yieldNow = createYielder(signal);
  const values = new Set<string>();
  for await (const { columns, rows } of scan()) {
    await yieldNow();
    const place = columns.get(options.tag);
    if (place === undefined) continue;
    for (const { cells } of rows) if (cells[place] !== "") values.add(cells[place]!);
  }
  return toTagExploration(options, chooseValues(values, options));
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
        // One value beyond the limit reveals that there are more.
        if (values.size <= limit) values.add(cells[place]!);
        seen.texts.set(name, values);
      }
    }
  }
  return seen;
}

function listFields({ columns, numbers, texts }: Seen): string[] {
  return [...columns.keys()].filter((column) => numbers.has(column) && !texts.has(column));
}

function describe(
  name: string,
  seen: Seen,
  fields: readonly { readonly name: string }[],
  { names, values }: ExploreLimits,
): ExploredMeasurement {
  const tags = [...seen.texts].slice(0, names);
  return {
    name,
    fields: fields.map((field) => ({ name: field.name, type: "number" })),
    tags: tags.map(([column, found]) => ({ name: column, values: [...found].slice(0, values) })),
    firstAt: Number.isFinite(seen.firstAt) ? seen.firstAt : null,
    lastAt: Number.isFinite(seen.lastAt) ? seen.lastAt : null,
  };
}
