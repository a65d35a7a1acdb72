// Table of a series from the server: one row per instant.
import { formatSi } from "../../core/formats/readable.ts";
import type { SeriesResult } from "../client/views.ts";
import type { Context } from "../command/command.ts";
import { formatNumber, formatScore } from "../terminal/format.ts";
import type { Column } from "../terminal/table.ts";
import { answerTable, instantColumn } from "./present.ts";

/** Prints one row per instant: observed and, if present, predicted values, band and score of each feature. */
export function answerSeries(context: Context, result: SeriesResult): void {
  const { timestamps, constraint } = result;
  if (context.globals.json) {
    context.answer(result);
    return;
  }
  answerTable(
    context,
    timestamps.map((_, i) => i),
    {
      columns: [instantColumn(context, "TIME", { at: (i) => timestamps[i] }), ...valueColumns(result)],
      name: (i) => String(timestamps[i]),
      empty: "no data in this range",
    },
  );
  if (!constraint) return;
  const isTable = (context.globals.format ?? "table") === "table";
  // In CSV the constraint is a note: every line of the output must be a row.
  (isTable ? context.print : context.note)(describeConstraint(constraint, result.units));
}

/** Values, predictions and scores, by index of the instant. */
export function valueColumns(result: SeriesResult): Column<number>[] {
  const { stats } = result;
  return [
    ...featuresOf(result).flatMap((feature) => columnsOf(result, feature)),
    ...(stats ? scoreColumns(stats) : []),
  ];
}

/** Result of a grouped read. */
export interface GroupedResult {
  readonly timestamps: readonly number[];
  readonly series: readonly {
    readonly tags: Readonly<Record<string, string>>;
    readonly observed: SeriesResult["observed"];
  }[];
  readonly truncated: boolean;
}

interface GroupRow {
  readonly tags: Readonly<Record<string, string>>;
  /** Seconds since the epoch. */
  readonly at: number;
  /** By feature. */
  readonly values: readonly (number | null)[];
}

/** Prints one row per series and instant with a value. */
export function answerGroups(context: Context, result: GroupedResult): void {
  const { series, truncated } = result;
  if (context.globals.json) {
    context.answer(result);
    return;
  }
  const [first] = series;
  const features = Object.keys(first?.observed ?? {});
  answerTable(context, groupRows(result, features), {
    columns: groupColumns(context, Object.keys(first?.tags ?? {}), features),
    name: ({ at }) => String(at),
    empty: "no data in this range",
  });
  if (truncated) context.note("there are more series: raise --max-series, or narrow the features by tags");
}

function groupRows({ timestamps, series }: GroupedResult, features: readonly string[]): GroupRow[] {
  return series.flatMap(({ tags, observed }) =>
    timestamps
      .map((at, i) => ({ tags, at, values: features.map((name) => observed[name]?.[i] ?? null) }))
      .filter(({ values }) => values.some((value) => value !== null)),
  );
}

function groupColumns(
  context: Context,
  tags: readonly string[],
  features: readonly string[],
): Column<GroupRow>[] {
  return [
    ...tags.map(
      (tag): Column<GroupRow> => ({
        title: tag.toUpperCase(),
        key: tag,
        value: (row) => row.tags[tag] ?? "",
      }),
    ),
    instantColumn<GroupRow>(context, "TIME", { at: ({ at }) => at }),
    ...features.map(
      (name, k): Column<GroupRow> => ({
        title: name.toUpperCase(),
        key: name,
        align: "right",
        value: (row) => formatNumber(row.values[k]),
        raw: (row) => row.values[k],
      }),
    ),
  ];
}

/** Names of the features, in the order of the answer. */
export function featuresOf({ observed }: Pick<SeriesResult, "observed">): string[] {
  return Object.keys(observed);
}

function columnsOf({ observed, predicted, units }: SeriesResult, feature: string): Column<number>[] {
  const column = (
    title: string,
    values: readonly (number | null)[] | undefined,
    key: string,
  ): Column<number> => ({
    title,
    key,
    align: "right",
    value: (i) => formatNumber(values?.[i]),
    raw: (i) => values?.[i],
  });
  const unit = units?.[feature];
  const title = `${feature.toUpperCase()}${unit === undefined ? "" : ` (${unit})`}`;
  const shown = column(title, observed[feature], feature);
  if (!predicted) return [shown];
  return [
    shown,
    column("EXPECTED", predicted[feature], `expected_${feature}`),
    column("LOWER", predicted[`lower_${feature}`], `lower_${feature}`),
    column("UPPER", predicted[`upper_${feature}`], `upper_${feature}`),
  ];
}

function scoreColumns(stats: NonNullable<SeriesResult["stats"]>): Column<number>[] {
  return [
    {
      title: "SCORE",
      align: "right",
      value: (i) => formatScore(stats[i]?.score),
      raw: (i) => stats[i]?.score,
    },
    {
      title: "",
      key: "anomaly",
      value: (i) => (stats[i]?.anomaly ? "anomaly" : ""),
      raw: (i) => Boolean(stats[i]?.anomaly),
    },
  ];
}

/** `used exceeds 95: 2026-01-31T12:00:00Z` */
export function describeConstraint(
  constraint: NonNullable<SeriesResult["constraint"]>,
  units: SeriesResult["units"],
): string {
  const { feature, type, threshold, first_date: first, first_date_range: range } = constraint;
  const verb = type === "low" ? "falls below" : "exceeds";
  const unit = units?.[feature];
  const bound = unit === undefined ? threshold : formatSi(threshold, { unit });
  const date = first ?? "not in this range";
  // Servers of earlier releases answer no range.
  return `${feature} ${verb} ${bound}: ${date}${range ? describeRange(range) : ""}`;
}

function describeRange({ earliest, latest }: { earliest: string | null; latest: string | null }): string {
  if (!earliest) return "";
  return ` (band: from ${earliest} ${latest ? `to ${latest}` : "on"})`;
}
