// Breaches of a bound by a forecast and by the edges of its band; pure.

/** A bound that values must not exceed (`high`), or not fall below (`low`). */
interface Bound {
  readonly type: "low" | "high";
  readonly threshold: number;
}

/** Columns of a forecast of one feature, of one length. */
export interface ForecastColumns {
  readonly predicted: ArrayLike<number>;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
}

/** Indices of the first intervals beyond the bound; absent: none is. */
interface Breach {
  readonly first?: number;
  /** By the edge of the band towards the bound, and by the other one. */
  readonly earliest?: number;
  readonly latest?: number;
}

export function findBreach({ predicted, lower, upper }: ForecastColumns, bound: Bound): Breach {
  const [near, far] = bound.type === "low" ? [lower, upper] : [upper, lower];
  const first = firstBeyond(predicted, bound);
  const earliest = firstBeyond(near, bound);
  const latest = firstBeyond(far, bound);
  return {
    ...(first !== undefined && { first }),
    ...(earliest !== undefined && { earliest }),
    ...(latest !== undefined && { latest }),
  };
}

function firstBeyond(column: ArrayLike<number>, { type, threshold }: Bound): number | undefined {
  for (let i = 0; i < column.length; i++) {
    const value = column[i]!;
    if (type === "low" ? value < threshold : value > threshold) return i;
  }
  return undefined;
}
