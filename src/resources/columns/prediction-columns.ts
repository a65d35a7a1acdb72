// Columns of evaluations and forecasts: `observed_`, `predicted_`, `lower_` and `upper_` before the name of a feature.
import type { StatView } from "../../api/prediction.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { type Column, type ColumnAnswer, listColumn, makeTable, tagColumns, timeColumn } from "./columns.ts";

/** A prediction that was submitted. */
export interface PredictionSource {
  readonly model: string;
  readonly version: string;
  readonly intervalMs: number;
  readonly features: readonly string[];
  /** Tags of the series of a page; absent: one series. */
  readonly groupBy?: readonly string[];
}

type Values = Readonly<Record<string, readonly (number | null)[]>>;

interface Part {
  readonly timestamps: readonly number[];
  readonly tags: SeriesTags;
  readonly observed: Values;
  readonly predicted: Values;
  readonly stats?: readonly StatView[];
  readonly levels?: Readonly<Record<string, Values>>;
}

type Result = Omit<Part, "tags"> | Page;

interface Page {
  /** One without enough data has a `code` in place of values. */
  readonly series: readonly (Part | { readonly code: string })[];
  readonly total: number;
}

type Stat = "score" | "mse" | "nll" | "range_score" | "causal_score";

/** @param result of the jobs `prediction` and `forecast` */
export function predictionColumns(
  result: unknown,
  { model, version, intervalMs, features, groupBy = [] }: PredictionSource,
): ColumnAnswer {
  const answer = result as Result;
  const isPage = "series" in answer;
  const parts = isPage
    ? answer.series.filter((one): one is Part => !("code" in one))
    : [{ tags: {}, ...answer }];
  const [first] = parts;
  const levels = Object.keys(first?.levels ?? {});
  const values = [...features.flatMap((name) => featureColumns(name, levels)), ...statColumns(first)];
  const columns = [timeColumn, ...tagColumns(groupBy, [timeColumn, ...values]), ...values];
  const table = makeTable(columns, parts, { model, version, bucket_interval: String(intervalMs / 1000) });
  if (!isPage) return { table };
  const left = answer.series.length - parts.length;
  const advice = `${left} series of this page lack data and are left out: an answer in JSON has the reasons`;
  return { table, total: answer.total, ...(left > 0 && { advice }) };
}

/** The names of the JSON, `lower95_` and `upper95_` for a further level of 95 percent. */
function featureColumns(name: string, levels: readonly string[]): Column<Part>[] {
  const edges = [`lower_${name}`, `upper_${name}`];
  return [
    listColumn(`observed_${name}`, ({ observed }) => observed[name]),
    listColumn(`predicted_${name}`, ({ predicted }) => predicted[name]),
    ...edges.map((edge) => listColumn<Part>(edge, ({ predicted }) => predicted[edge])),
    ...levels.flatMap((level) =>
      edges.map((edge) =>
        listColumn<Part>(edge.replace("_", `${level}_`), ({ levels }) => levels?.[level]?.[edge]),
      ),
    ),
  ];
}

/** With `detect_anomalies`. */
function statColumns(part: Part | undefined): Column<Part>[] {
  if (!part?.stats) return [];
  const numbers: Stat[] = ["score", "mse", "nll", "range_score"];
  if (part.stats.some(({ causal_score }) => causal_score !== undefined)) numbers.push("causal_score");
  return [
    ...numbers.map((name) => statColumn(name)),
    {
      name: "anomaly",
      type: "boolean",
      read:
        ({ stats }) =>
        (row) =>
          stats![row]!.anomaly,
    },
  ];
}

function statColumn(name: Stat): Column<Part> {
  return {
    name,
    type: "number",
    read:
      ({ stats }) =>
      (row) =>
        stats![row]![name],
  };
}
