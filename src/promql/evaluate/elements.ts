// Functions of single samples: mathematics, rounding, clamps, parts of dates.

interface ElementArgs {
  /** Scalar arguments behind the vector, a value per step. */
  readonly params: readonly Float64Array[];
  readonly step: number;
}

/** @returns undefined: no sample */
type ElementFunction = (value: number, args: ElementArgs) => number | undefined;

const { PI } = Math;

export const elementFunctions: Readonly<Record<string, ElementFunction>> = {
  ...{ abs: Math.abs, ceil: Math.ceil, floor: Math.floor, exp: Math.exp, sqrt: Math.sqrt, sgn: Math.sign },
  ...{ ln: Math.log, log2: Math.log2, log10: Math.log10 },
  ...{ sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan },
  ...{ sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh },
  ...{ asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh },
  deg: (value) => (value * 180) / PI,
  rad: (value) => (value * PI) / 180,
  // Halves are rounded up; the inverse avoids errors of steps such as 0.1.
  round: (value, { params: [to], step }) => {
    const inverse = 1 / (to?.[step] ?? 1);
    return Math.floor(value * inverse + 0.5) / inverse;
  },
  clamp: (value, { params: [min, max], step }) => {
    const [low, high] = [min![step]!, max![step]!];
    return high < low ? undefined : Math.max(low, Math.min(high, value));
  },
  clamp_min: (value, { params: [min], step }) => Math.max(min![step]!, value),
  clamp_max: (value, { params: [max], step }) => Math.min(max![step]!, value),
  minute: ofDate((date) => date.getUTCMinutes()),
  hour: ofDate((date) => date.getUTCHours()),
  day_of_week: ofDate((date) => date.getUTCDay()),
  day_of_month: ofDate((date) => date.getUTCDate()),
  day_of_year: ofDate((date) => (startOfDay(date) - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS + 1),
  days_in_month: ofDate((date) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  ),
  month: ofDate((date) => date.getUTCMonth() + 1),
  year: ofDate((date) => date.getUTCFullYear()),
};

/** Functions of dates, which without an argument take the time of evaluation. */
export const dateFunctions: ReadonlySet<string> = new Set([
  ...["minute", "hour", "day_of_week", "day_of_month", "day_of_year", "days_in_month", "month", "year"],
]);

const DAY_MS = 86_400_000;

function ofDate(read: (date: Date) => number): ElementFunction {
  return (seconds) => read(new Date(Math.trunc(seconds) * 1000));
}

function startOfDay(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS) * DAY_MS;
}
