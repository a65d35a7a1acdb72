// Strongest feature of an anomaly, and its strongest detector: the code of its explanation.

interface Reports<R> {
  readonly peak: Readonly<Record<string, R>>;
  /** At its start. */
  readonly features?: Readonly<Record<string, R>>;
}

/** The feature with the highest score at the peak; of an anomaly without one at its start. */
export function strongestOf<R extends { readonly score: number }>({
  peak,
  features = {},
}: Reports<R>): readonly [name: string, report: R] | undefined {
  const reports = Object.entries(Object.keys(peak).length > 0 ? peak : features);
  return reports.sort(([, a], [, b]) => b.score - a.score)[0];
}

/** The detector that contributes most, of equal ones the first; undefined without any. */
export function strongestDetector(contributions: Readonly<Record<string, number>> = {}): string | undefined {
  return Object.entries(contributions).sort(([, a], [, b]) => b - a)[0]?.[0];
}
