// Errors of past forecasts at the present level, where they are rather a share of the level than of one size; pure.
import { meanMagnitude } from "../stats/magnitude.ts";
import { fitGrowth, type Growth, type LeadErrors } from "./error-growth.ts";
import type { Plan } from "./plan.ts";

/** Most that levels differ by: errors say little of those at quite another level. */
const MAX_RATIO = 10;
/** Least gain in likelihood, as a logarithm, of errors that are a share of the level. */
const SHARE_GAIN = 0.5;

/**
 * Mean of a near horizon before each origin, in that of the newest one; undefined unless all values are above 0 and each
 * mean is known.
 */
export function levelsOf(column: Float64Array, { origins, horizon }: Plan): readonly number[] | undefined {
  if (column.some((value) => value <= 0)) return undefined;
  const present = meanBefore(column, column.length, horizon);
  const levels = origins.map((origin) => meanBefore(column, origin, horizon) / present);
  if (!levels.every(Number.isFinite)) return undefined;
  return levels.map((level) => Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, level)));
}

function meanBefore(column: Float64Array, end: number, count: number): number {
  const present = column.subarray(Math.max(0, end - count), end).filter(Number.isFinite);
  return present.length > 0 ? present.reduce((sum, value) => sum + value / present.length, 0) : Number.NaN;
}

/** Errors by origin, and what they are by lead. */
export interface Measured {
  readonly errors: readonly Float64Array[];
  /** Leads with an error. */
  readonly measured: readonly LeadErrors[];
  /** Absent without an error above 0. */
  readonly growth?: Growth | undefined;
  /** Levels that the errors were divided by, per origin; absent: none. */
  readonly units?: readonly number[] | undefined;
}

/** Errors as they would be at the present level, where they are more likely a share of it than of one size. */
export function atPresentLevel(
  errors: readonly Float64Array[],
  {
    leads,
    span,
    levels,
  }: {
    readonly leads: readonly number[];
    readonly span: number;
    readonly levels?: readonly number[] | undefined;
  },
): Measured {
  const plain = measureErrors(errors, { leads, span });
  if (!plain.growth || !levels) return plain;
  const shares = measureErrors(
    errors.map((own, o) => own.map((error) => error / levels[o]!)),
    { leads, span, units: levels },
  );
  return shares.growth!.likelihood > plain.growth.likelihood + SHARE_GAIN ? shares : plain;
}

/** Errors by lead. @param units what they were divided by, per origin */
export function measureErrors(
  errors: readonly Float64Array[],
  {
    leads,
    span,
    units,
  }: { readonly leads: readonly number[]; readonly span: number; readonly units?: readonly number[] },
): Measured {
  const measured = measureLeads(errors, leads, units);
  const growth = measured.some(({ mean }) => mean > 0) ? fitGrowth(measured, span) : undefined;
  return { errors, measured, growth, units };
}

function measureLeads(
  errors: readonly Float64Array[],
  leads: readonly number[],
  units?: readonly number[],
): LeadErrors[] {
  return leads.flatMap((lead, i) => {
    const seen = [...errors.keys()].filter((o) => Number.isFinite(errors[o]![i]!));
    if (seen.length === 0) return [];
    const logs = units ? seen.reduce((sum, o) => sum + Math.log(units[o]!), 0) : 0;
    const mean = meanMagnitude(seen.map((o) => errors[o]![i]!));
    return { lead, mean, count: seen.length, logUnit: logs / seen.length };
  });
}
