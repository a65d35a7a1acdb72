// Labels of a model: ranges that people marked as anomalous or normal; they count like anomalies with feedback.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { coerceStrings } from "../input/coerce.ts";
import { check } from "../input/schema.ts";
import { checkSeries, requireGroupBy, SeriesTags } from "../model/fleet.ts";
import type { ModelSettings } from "../model/model.ts";
import { dateSchema } from "../time/date-schema.ts";
import { parseDate } from "../time/time.ts";
import type { JudgedEpisode } from "./training-marks.ts";

const instant = (description: string) =>
  dateSchema({ description, rule: "must be a date such as 2026-01-31T12:00:00Z or now-1h" });

/** Request body. */
export const LabelInput = Type.Object(
  {
    from: instant("Start, inclusive"),
    to: instant("End, exclusive"),
    anomaly: Type.Boolean({
      description: "`true`: anomalous; `false`: normal, whatever it looks like",
      rule: "must be true, for an anomaly, or false, for what is normal",
    }),
    feature: Type.Optional(
      Type.String({
        maxLength: 256,
        description: "With `false`, the feature that is normal; default: all. With `true`, for information",
        rule: "must be the name of a feature",
      }),
    ),
    note: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "Free text",
        rule: "must be a text of at most 4096 characters",
      }),
    ),
    series: Type.Optional({
      ...SeriesTags,
      description: "The series of a model with `group_by` that it is of; default: all series",
      rule: "must be a text by tag of group_by",
    }),
  },
  { additionalProperties: false, title: "label", $id: "LabelInput" },
);

/** A label, checked. */
export interface NewLabel extends Omit<Static<typeof LabelInput>, "from" | "to"> {
  /** ms since the epoch. */
  readonly fromAt: number;
  /** Exclusive. */
  readonly toAt: number;
}

/**
 * Checks a label.
 * @param settings of the model
 * @param nowAt ms since the epoch; relative dates start here
 * @throws TorusError `invalid`, `not_supported` for a series of a model without `group_by`
 */
export function checkLabel(
  body: unknown,
  { settings, nowAt }: { settings: ModelSettings; nowAt: number },
): NewLabel {
  const { from, to, series, ...rest } = check(LabelInput, coerceStrings(LabelInput, body));
  const features = settings.features.map(({ name }) => name);
  const [fromAt, toAt] = [parseDate(from, nowAt, "from"), parseDate(to, nowAt, "to")];
  if (toAt <= fromAt) throw invalid("to", "must be after from");
  if (rest.feature !== undefined && !features.includes(rest.feature))
    throw invalid("feature", `must be a feature of the model: ${features.join(", ")}`);
  return { fromAt, toAt, ...rest, ...(series && { series: checkSeries(series, requireGroupBy(settings)) }) };
}

/** The part of a label that counts. */
interface Judgement extends Pick<NewLabel, "fromAt" | "toAt" | "anomaly"> {
  /** Null: all features. */
  readonly feature: string | null;
}

/**
 * The label as an anomaly with feedback.
 * @param features names of the model's features
 */
export function judgedLabel(
  { fromAt, toAt, anomaly, feature }: Judgement,
  features: readonly string[],
): JudgedEpisode {
  const raised = features.filter((name) => feature === null || name === feature);
  const reports = Object.fromEntries(raised.map((name) => [name, {}]));
  return { startAt: fromAt, endAt: toAt, feedback: { anomaly }, features: reports, peak: {} };
}
