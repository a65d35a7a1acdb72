// Samples: the stored numbers of single fields, as they were written, found by their names and tags.
import type { Range } from "../../core/series/grid.ts";
import type { FieldQuery, FieldSamples, StoredField } from "../../core/series/samples.ts";
import { createYielder } from "../../runtime/steps.ts";
import type { BlockView } from "../block.ts";
import { type FileSnapshot, visitBlocks } from "../scan.ts";
import { dropTexts } from "../special/kept-points.ts";
import { halvesOf, isNaNOf } from "../special/values.ts";
import { scanFields } from "./find-fields.ts";

type VisitField = (field: StoredField) => Promise<void>;
type Yielder = () => Promise<void> | undefined;

/**
 * Visits fields one after the other, in one snapshot of the file.
 * @param sinceAt points before this instant (ms) have expired and are not returned
 * @param visit may read the points of its field; it ends the scan by throwing
 */
export async function visitFields(
  file: FileSnapshot | undefined,
  { query, sinceAt }: { readonly query: FieldQuery; readonly sinceAt: number },
  visit: VisitField,
  signal: AbortSignal,
): Promise<void> {
  if (!file) return;
  const yieldNow = createYielder(signal);
  for await (const row of scanFields(file.db, query, yieldNow)) {
    if (!query.matches(row.measurement, row.name)) continue;
    const tags = Object.fromEntries(JSON.parse(row.tags) as [string, string][]);
    await visit({
      measurement: row.measurement,
      field: row.name,
      tags,
      hasPoints: (range) => hasPoints(file, row.id, clip(range, sinceAt)),
      read: (range, onRead) =>
        readNumbers({ ...file, fieldId: row.id, range: clip(range, sinceAt), yieldNow }, onRead),
    });
  }
}

function clip({ fromAt, toAt }: Range, sinceAt: number): Range {
  return { fromAt: Math.max(fromAt, sinceAt), toAt };
}

function hasPoints({ db, head }: FileSnapshot, fieldId: number, range: Range): boolean {
  if (head?.hasPoint(fieldId, range)) return true;
  const { fromAt, toAt } = range;
  const found = db
    .query<{ one: number }, [number, number, number]>(
      "SELECT 1 AS one FROM blocks WHERE field_id = ?1 AND start_at < ?3 AND end_at >= ?2 LIMIT 1",
    )
    .get(fieldId, fromAt, toAt);
  return found !== null;
}

interface NumbersScope extends FileSnapshot {
  readonly fieldId: number;
  readonly range: Range;
  readonly yieldNow: Yielder;
}

async function readNumbers(
  { fieldId, ...scope }: NumbersScope,
  onRead: (points: number) => void,
): Promise<FieldSamples> {
  const blocks: BlockView[] = [];
  let [count, hasSpecial] = [0, false];
  await visitBlocks({ ...scope, fieldIds: [fieldId], keepsSpecial: true }, (block) => {
    const numbers = dropTexts(block);
    onRead(numbers.values.length);
    blocks.push(numbers);
    count += numbers.values.length;
    hasSpecial ||= block.hasSpecial;
  });
  const [times, values] = [new Float64Array(count), new Float64Array(count)];
  let at = 0;
  for (const { startAt, offsets, values: own } of blocks) {
    values.set(own, at);
    for (let i = 0; i < own.length; i++) times[at++] = startAt + offsets[i]!;
  }
  const stale = hasSpecial ? findStale(values) : undefined;
  return { times, values, ...(stale && { stale }) };
}

/** @returns undefined where there is none */
function findStale(values: Float64Array): Uint8Array | undefined {
  const halves = halvesOf(values);
  const stale = new Uint8Array(values.length);
  for (let i = 0; i < stale.length; i++) stale[i] = Number(isNaNOf(halves, i, "stale"));
  return stale.includes(1) ? stale : undefined;
}
