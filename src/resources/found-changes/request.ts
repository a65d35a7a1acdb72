// Request of a search for changes: the series that tell of versions, what has them, and the range.
import { type Static, Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { ChangeKind, type ChangeTags, changeProperties, checkTags } from "../../core/changes/change.ts";
import { DEFAULT_KIND } from "../../core/changes/name.ts";
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { check, dropNulls } from "../../core/input/schema.ts";
import { GroupBy } from "../../core/model/fleet.ts";
import { completeRange, type Range } from "../../core/series/grid.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { HOUR_MS, parseDate, parseDuration } from "../../core/time/time.ts";
import { measureRange, parseRange } from "../shared/range.ts";
import { requireSource, ValueSource } from "../shared/source.ts";

/** Intervals before the range that tell which versions there were: a gap may be as long. */
const LOOKBACK = 60;
/** Intervals of a range. */
const MAX_INTERVALS = 5000;
const DEFAULT_INTERVAL = "1m";

const optional = Type.Optional;

export const FindChanges = Type.Object(
  {
    bucket: Type.String({ minLength: 1, maxLength: 256, description: "Bucket of the series" }),
    feature: {
      ...ValueSource,
      description:
        "As a feature of a model: `metric` and `field`, or a `query` that answers a series for each combination of `by` and " +
        "`label`, as in `max by (service, version) (build_info)`",
    },
    by: {
      ...GroupBy,
      description: "Tags of what has versions: each combination of their values is a service",
      examples: [["service"]],
    },
    label: optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          "Tag whose value is the version where a series has a value other than 0, as `version` of `build_info`; default: the value itself is, as a generation",
      }),
    ),
    bucket_interval: optional(
      intervalSchema({ description: "Length of an interval", default: DEFAULT_INTERVAL }),
    ),
    from: date("Start, inclusive; default: an hour before `to`"),
    to: date("End, exclusive; default: now"),
    kind: optional({ ...ChangeKind, default: DEFAULT_KIND }),
    title: optional({
      ...changeProperties.title,
      description: "What a version is called; default: `label`, or the field",
    }),
    tags: optional({ ...changeProperties.tags, description: "Further tags of each change" }),
  },
  { additionalProperties: false, $id: "FindChanges" },
);

export interface FindRequest extends Pick<Static<typeof FindChanges>, "bucket" | "by" | "label"> {
  readonly source: ValueSource;
  readonly range: Range;
  /** The same with what was before it. */
  readonly whole: Range;
  readonly intervalMs: number;
  readonly kind: string;
  readonly title: string;
  readonly tags: ChangeTags;
}

/** @throws TorusError `invalid` */
export function parseFindRequest(body: unknown, nowAt: number): FindRequest {
  if (!isRecord(body)) throw invalid("body", "must be a JSON object with bucket, feature and by");
  const feature = isRecord(body.feature) && dropNulls(ValueSource, body.feature);
  const given = check(FindChanges, { ...dropNulls(FindChanges, body), ...(feature && { feature }) });
  const { bucket, feature: source, by, label, kind = DEFAULT_KIND } = given;
  requireSource(source);
  checkGroups(by, label);
  return {
    ...{ bucket, source, by, ...(label !== undefined && { label }), kind },
    ...planRange(given, nowAt),
    title: given.title ?? label ?? source.field ?? "value",
    tags: checkTags(given.tags ?? {}, "tags"),
  };
}

function checkGroups(by: readonly string[], label: string | undefined): void {
  if (label === undefined) return;
  if (by.includes(label))
    throw invalid("label", "must not be one of by: by says what has versions, label which one it has");
  if (by.length === GroupBy.maxItems)
    throw invalid("by", `must have at most ${GroupBy.maxItems! - 1} tags beside label`);
}

function planRange(
  { from, to, bucket_interval: interval = DEFAULT_INTERVAL }: Static<typeof FindChanges>,
  nowAt: number,
): Pick<FindRequest, "range" | "whole" | "intervalMs"> {
  const intervalMs = parseDuration(interval, "bucket_interval");
  if (intervalMs === 0) throw invalid("bucket_interval", "must be longer than 0, as in 1m");
  const toAt = to === undefined ? nowAt : parseDate(to, nowAt, "to");
  const given = parseRange({ from, to }, { nowAt, fromAt: toAt - HOUR_MS });
  measureRange(given, { intervalMs, width: 1, cap: MAX_INTERVALS });
  const range = completeRange(given, intervalMs, nowAt);
  return { range, whole: { ...range, fromAt: range.fromAt - LOOKBACK * intervalMs }, intervalMs };
}
