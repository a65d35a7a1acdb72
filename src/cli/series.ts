// Series of numbers as the server answers them, as a table for people.
import type { Stat } from "./client.ts";
import type { Context } from "./context.ts";
import { formatInstant, formatNumber, formatScore } from "./format.ts";
import { answerTable } from "./present.ts";
import type { Column } from "./table.ts";

type Values = Readonly<Record<string, readonly (number | null)[]>>;

/** Result of a read, a forecast or an evaluation. */
export interface SeriesResult {
  /** Seconds since the epoch. */
  readonly timestamps: readonly number[];
  readonly observed: Values;
  /** `<f>`, `lower_<f>`, `upper_<f>`. */
  readonly predicted?: Values;
  readonly stats?: readonly Stat[];
  readonly constraint?: {
    readonly feature: string;
    readonly type: string;
    readonly threshold: number;
    /** ISO 8601; null where it never happens. */
    readonly first_date: string | null;
  };
}

/** One row per instant: observed and, where there are, predicted values, band and score of every feature. */
export function answerSeries(context: Context, result: SeriesResult): void {
  const { timestamps, stats, constraint } = result;
  if (context.globals.json) {
    context.answer(result);
    return;
  }
  answerTable(
    context,
    timestamps.map((_, i) => i),
    {
      columns: [
        { title: "TIME (UTC)", value: (i) => formatInstant(timestamps[i]) },
        ...featuresOf(result).flatMap((feature) => columnsOf(result, feature)),
        ...(stats ? scoreColumns(stats) : []),
      ],
      name: (i) => String(timestamps[i]),
      empty: "nothing in this range",
    },
  );
  if (constraint) context.print(describeConstraint(constraint));
}

/** Names of the features, in the order of the answer. */
export function featuresOf({ observed }: Pick<SeriesResult, "observed">): string[] {
  return Object.keys(observed);
}

function columnsOf({ observed, predicted }: SeriesResult, feature: string): Column<number>[] {
  const column = (title: string, values: readonly (number | null)[] | undefined): Column<number> => ({
    title,
    align: "right",
    value: (i) => formatNumber(values?.[i]),
  });
  if (!predicted) return [column(feature.toUpperCase(), observed[feature])];
  return [
    column(feature.toUpperCase(), observed[feature]),
    column("EXPECTED", predicted[feature]),
    column("LOWER", predicted[`lower_${feature}`]),
    column("UPPER", predicted[`upper_${feature}`]),
  ];
}

function scoreColumns(stats: NonNullable<SeriesResult["stats"]>): Column<number>[] {
  return [
    { title: "SCORE", align: "right", value: (i) => formatScore(stats[i]?.score) },
    { title: "", value: (i) => (stats[i]?.anomaly ? "anomaly" : "") },
  ];
}

function describeConstraint(constraint: NonNullable<SeriesResult["constraint"]>): string {
  const { feature, type, threshold, first_date: first } = constraint;
  const verb = type === "low" ? "falls below" : "exceeds";
  return `${feature} ${verb} ${threshold}: ${first ?? "not in this range"}`;
}
