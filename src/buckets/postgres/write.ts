// Writes to a PostgreSQL table: one row per point, in one transaction, values as a single JSON parameter.
import { invalid } from "../../core/errors.ts";
import type { Point } from "../../core/series/query.ts";
import type { Session } from "./session.ts";
import { type PostgresSettings, timeUnits } from "./settings.ts";
import { nameTable, quoteName, requireMeasurementColumn, type Source } from "./source.ts";

const ROWS_PER_STATEMENT = 5000;

/** Inserts the points. @throws TorusError `invalid` for names that cannot be columns, `bucket_rejected` for missing ones */
export async function insertPoints(
  { session, source, own }: { session: Session; source: Source; own: PostgresSettings },
  points: readonly Point[],
  measurement: string | undefined,
): Promise<void> {
  const rows = points
    .map((point) => toRow(point, { source, own, measurement }))
    .filter((row) => row !== undefined);
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const some = rows.slice(from, from + ROWS_PER_STATEMENT);
    const names = [...new Set(some.flatMap((row) => Object.keys(row)))].map(quoteName).join(", ");
    const table = nameTable(own);
    await session.run(
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::text::json)`,
      [JSON.stringify(some)],
    );
  }
}

/** Checks the names of all points before anything is sent. @throws TorusError `invalid` */
export function checkNames(
  points: readonly Point[],
  own: PostgresSettings,
  measurement: string | undefined,
): void {
  if (measurement !== undefined) requireMeasurementColumn(own);
  const reserved = [own.time_column, own.measurement_column];
  for (const { fields, tags } of points) {
    for (const name of [...Object.keys(fields), ...Object.keys(tags)]) {
      quoteName(name);
      if (reserved.includes(name))
        throw invalid("", `column ${name} holds no field or tag: choose another name`);
      if (Object.hasOwn(fields, name) && Object.hasOwn(tags, name))
        throw invalid("", `${name} is both a field and a tag: a table has one column of a name`);
    }
  }
}

/** The row of a point; undefined where all its fields are null. */
function toRow(
  { at, fields, tags }: Point,
  { source, own, measurement }: { source: Source; own: PostgresSettings; measurement: string | undefined },
): Record<string, unknown> | undefined {
  const values = Object.entries(fields).filter(
    ([, value]) => value !== null && (typeof value !== "number" || Number.isFinite(value)),
  );
  if (values.length === 0) return undefined;
  const isNumber = source.columns.get(own.time_column)?.kind === "number";
  const time = isNumber
    ? Math.floor(at) * timeUnits[own.time_unit ?? "s"]
    : new Date(Math.floor(at)).toISOString();
  return {
    ...tags,
    ...Object.fromEntries(values),
    [own.time_column]: time,
    ...(measurement !== undefined && { [requireMeasurementColumn(own)]: measurement }),
  };
}
