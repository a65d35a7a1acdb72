// Strongest feature of an anomaly, and its strongest detector: the code of its explanation.

interface Reports<R> {
  readonly peak: Readonly<Record<string, R>>;
  /** At its start. */
  readonly features?: Readonly<Record<string, R>>;
}

interface Strength {
  readonly score: number;
  /** Distance from the expected value in half-widths of the band. */
  readonly factor?: number | undefined;
}

/** Order by score, the highest first; scores end at 100, so of equal ones by the distance from what was expected. */
export function compareStrength(a: Strength, b: Strength): number {
  return b.score - a.score || (b.factor ?? 0) - (a.factor ?? 0);
}

/** The strongest feature at the peak; of an anomaly without one at its start. */
export function strongestOf<R extends Strength>({
  peak,
  features = {},
}: Reports<R>): readonly [name: string, report: R] | undefined {
  const reports = Object.entries(Object.keys(peak).length > 0 ? peak : features);
  return reports.sort(([, a], [, b]) => compareStrength(a, b))[0];
}

/** The detector that contributes most, of equal ones the first; undefined without any. */
export function strongestDetector(contributions: Readonly<Record<string, number>> = {}): string | undefined {
  return Object.entries(contributions).sort(([, a], [, b]) => b - a)[0]?.[0];
}
