// Values of the last interval that live detection evaluated, by feature.

/** In units of the data; null: nothing was observed, or expected. */
export interface LastValues {
  readonly values: Readonly<Record<string, number | null>>;
  /** Absent in values of an older version. */
  readonly expected?: Readonly<Record<string, number | null>>;
}

/** Last values of columns of one length. */
export function lastValuesOf(
  observed: Readonly<Record<string, Float64Array>>,
  expected: Readonly<Record<string, Float64Array>>,
): LastValues {
  return { values: lastOf(observed), expected: lastOf(expected) };
}

function lastOf(columns: Readonly<Record<string, Float64Array>>): Record<string, number | null> {
  const values = Object.entries(columns).map(([name, column]) => {
    const value = column.at(-1);
    return [name, value !== undefined && Number.isFinite(value) ? value : null] as const;
  });
  return Object.fromEntries(values);
}
