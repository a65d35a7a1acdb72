// Parsing of the labels of a backtest: a list of ranges, or the field that holds them.
import { invalid } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import { formatDate, parseDate } from "../../core/time/time.ts";
import type { BacktestJob, LabelSource } from "../../jobs/queue/input.ts";
import { parseName } from "../models/params.ts";
import { given, type Params } from "../shared/range.ts";

const MAX_LABELS = 10_000;

interface LabelContext {
  /** Every label must lie within it. */
  readonly evaluated: Range;
  /** ms since the epoch; relative dates start here. */
  readonly nowAt: number;
  /** Default bucket of the labels. */
  readonly bucket: string;
}

/**
 * `labels`, or `label_field` with `label_bucket` and `label_measurement`.
 * @returns undefined if neither is given
 * @throws TorusError `invalid`, as in `labels.3.to: must be after from`
 */
export function parseLabels(params: Params, context: LabelContext): BacktestJob["labels"] {
  const list = given(params, "labels");
  const source = parseSource(params, context.bucket);
  if (list === undefined) return source;
  if (source) throw invalid("label_field", "must not be given beside labels: choose one of them");
  if (!Array.isArray(list) || list.length > MAX_LABELS)
    throw invalid("labels", `must be a list of at most ${MAX_LABELS} ranges with from and to`);
  return list.map((label, i) => parseLabel(label, `labels.${i}`, context));
}

function parseSource(params: Params, bucket: string): LabelSource | undefined {
  const field = parseName(params, "label_field");
  const named = parseName(params, "label_bucket");
  const measurement = parseName(params, "label_measurement");
  if (field !== undefined)
    return { bucket: named ?? bucket, field, ...(measurement !== undefined && { measurement }) };
  if (named !== undefined || measurement !== undefined)
    throw invalid("label_field", "is required: the field that is not 0 where something is anomalous");
  return undefined;
}

function parseLabel(label: unknown, path: string, { evaluated, nowAt }: LabelContext): Range {
  if (typeof label !== "object" || label === null || Array.isArray(label))
    throw invalid(path, "must be an object with from and to");
  const dates = label as Record<string, unknown>;
  const unknown = Object.keys(dates).find((key) => key !== "from" && key !== "to");
  if (unknown !== undefined)
    throw invalid(`${path}.${unknown.slice(0, 64)}`, "is unknown; a label has from and to");
  const fromAt = parseDate(dates.from, nowAt, `${path}.from`);
  const toAt = parseDate(dates.to, nowAt, `${path}.to`);
  if (toAt <= fromAt) throw invalid(`${path}.to`, "must be after from");
  const part = `the evaluated part, ${formatDate(evaluated.fromAt)} to ${formatDate(evaluated.toAt)}`;
  if (fromAt < evaluated.fromAt || fromAt >= evaluated.toAt)
    throw invalid(`${path}.from`, `must lie in ${part}`);
  if (toAt > evaluated.toAt) throw invalid(`${path}.to`, `must lie in ${part}`);
  return { fromAt, toAt };
}
