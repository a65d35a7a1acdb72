// Samples: the stored numbers of single fields, as they were written, found by their names and tags.
import type { Range } from "../../core/series/grid.ts";
import type { FieldPage, FieldQuery, FieldSamples, OnRead } from "../../core/series/samples.ts";
import { createYielder } from "../../runtime/steps.ts";
import { type FileSnapshot, type Scope, visitBlocks } from "../scan.ts";
import { scanFields } from "./find-fields.ts";
import { SampleReader } from "./sample-reader.ts";

type VisitPage = (page: FieldPage) => Promise<void>;

/**
 * Visits fields page by page, in one snapshot of the file.
 * @param sinceAt points before this instant (ms) have expired and are not returned
 * @param visit may read the points of its fields; it ends the scan by throwing
 */
export async function visitFields(
  file: FileSnapshot | undefined,
  { query, sinceAt }: { readonly query: FieldQuery; readonly sinceAt: number },
  visit: VisitPage,
  signal: AbortSignal,
): Promise<void> {
  if (!file) return;
  const yieldNow = createYielder(signal);
  for await (const rows of scanFields(file.db, query, yieldNow))
    await visit({
      fields: rows.map(({ id, measurement, name, tags }) => ({
        measurement,
        field: name,
        tags: Object.fromEntries(JSON.parse(tags) as [string, string][]),
        hasPoints: (range) => hasPoints(file, id, clip(range, sinceAt)),
      })),
      read: (places, range, onRead) => {
        const fieldIds = places.map((place) => rows[place]!.id);
        return readNumbers({ ...file, fieldIds, range: clip(range, sinceAt), yieldNow }, onRead);
      },
    });
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

async function readNumbers(scope: Scope, onRead: OnRead): Promise<readonly FieldSamples[]> {
  const reader = new SampleReader(scope.fieldIds, onRead);
  await visitBlocks({ ...scope, keepsSpecial: true }, (block, fieldId) => reader.add(block, fieldId));
  return reader.finish();
}
