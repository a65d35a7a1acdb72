// Copy of a whole state between two databases: one transaction, compared with its source before the commit.
import { TorusError } from "../../core/errors.ts";
import type { Row, Side } from "./side.ts";
import { stateTables } from "./tables.ts";

/** Tables in a message. */
const MAX_NAMED = 6;

/** Table and number of its rows. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

interface CopyProgress {
  readonly table: string;
  /** Rows copied, of all tables. */
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: CopyProgress) => void;

/**
 * Copies all rows, from a source that stays as it is to a target that is cleared before, and sets its serial keys. Both
 * are in a transaction; the caller commits.
 * @throws TorusError `internal` where the copy differs from its source
 */
export async function copyState(source: Side, target: Side, onProgress: OnProgress): Promise<CopiedTable[]> {
  const counts = await countRows(source);
  const total = counts.reduce((sum, { rows }) => sum + rows, 0);
  for (const table of stateTables.toReversed()) await target.clear(table);
  let done = 0;
  for (const table of stateTables) {
    for await (const rows of source.read(table)) {
      await target.insert(table, rows);
      done += rows.length;
      onProgress({ table: table.name, done, total });
    }
    if (table.serial) await target.writeSerial(table, await source.readSerial(table));
  }
  const difference = await findDifference(source, target);
  if (difference)
    throw new TorusError("internal", `the copy differs from its source (${difference}): nothing was changed`);
  return counts;
}

/** Numbers of rows of all tables. */
export async function countRows(side: Side): Promise<CopiedTable[]> {
  const counts: CopiedTable[] = [];
  for (const table of stateTables) counts.push({ table: table.name, rows: await side.count(table) });
  return counts;
}

/** Compares numbers of rows, and the weights of each version. @returns the first difference */
export async function findDifference(source: Side, target: Side): Promise<string | undefined> {
  for (const table of stateTables) {
    const [wanted, found] = [await source.count(table), await target.count(table)];
    if (wanted !== found) return `${found} of ${wanted} rows of ${table.name}`;
  }
  const other = await findOtherRow(source.checksums(), target.checksums());
  return other && `the weights of version ${other[1]} of model ${other[0]}`;
}

/** Whether the target holds every row of the source, and no other: an earlier run ended before it was reported. */
export async function isSameState(source: Side, target: Side): Promise<boolean> {
  for (const table of stateTables) {
    if ((await source.count(table)) !== (await target.count(table))) return false;
    if (await findOtherRow(source.read(table), target.read(table))) return false;
  }
  return true;
}

/** The first row that the other side has not at the same place. */
async function findOtherRow(
  wanted: AsyncIterable<readonly Row[]>,
  found: AsyncIterable<readonly Row[]>,
): Promise<Row | undefined> {
  const others = rowsOf(found);
  try {
    for await (const row of rowsOf(wanted)) {
      const other = (await others.next()).value;
      if (!other?.every((value, i) => isSame(value, row[i]))) return row;
    }
    return undefined;
  } finally {
    await others.return(undefined);
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
}

/** Tables with rows, as in `3 models, 1 scheduled job`; empty for a database without a state. */
export async function describeState(side: Side): Promise<string> {
  const found = (await countRows(side)).filter(({ table, rows }) => rows > 0 && !isFact(table));
  const named = found.slice(0, MAX_NAMED).map(({ table, rows }) => `${rows} ${nounOf(table, rows)}`);
  return [...named, ...(found.length > MAX_NAMED ? ["and more"] : [])].join(", ");
}

/** A server that was started once, and then stopped, leaves facts about itself. */
function isFact(table: string): boolean {
  return table === "meta";
}

function nounOf(table: string, rows: number): string {
  const words = table.replaceAll("_", " ");
  return rows === 1 ? words.replace(/(?<!serie)s$/, "") : words;
}

async function* rowsOf(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}
