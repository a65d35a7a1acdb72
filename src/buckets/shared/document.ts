// Points as documents, one per series and instant, with an id derived from both.
import { invalid } from "../../core/errors.ts";
import type { FieldValue, Point } from "../../core/series/query.ts";

interface PointDocument {
  /** SHA-1 of instant and tags, hex. */
  readonly id: string;
  /** ms since the epoch, whole. */
  readonly instant: number;
  /** Tags, then fields that are not null. */
  readonly entries: readonly (readonly [string, FieldValue])[];
}

interface DocumentRules {
  /** Field that holds the time. */
  readonly timeName: string;
  /** @throws TorusError `invalid` for a name that the store cannot hold */
  readonly requireName: (name: string) => string;
}

/**
 * @returns undefined where all fields are null
 * @throws TorusError `invalid` where two of field, tag and time have one name
 */
export function toPointDocument(
  { at, fields, tags }: Point,
  { timeName, requireName }: DocumentRules,
): PointDocument | undefined {
  const given = Object.entries(fields).filter(
    ([, value]) => value !== null && (typeof value !== "number" || Number.isFinite(value)),
  );
  if (given.length === 0) return undefined;
  const labels = Object.entries(tags);
  const entries = [...labels, ...given];
  const names = [timeName, ...entries.map(([name]) => requireName(name))];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw invalid(
      "",
      `${JSON.stringify(twice.slice(0, 64))} names two of field, tag and time; a document holds it once`,
    );
  const instant = Math.floor(at);
  const id = new Bun.CryptoHasher("sha1").update(JSON.stringify([instant, labels.toSorted()])).digest("hex");
  return { id, instant, entries };
}
