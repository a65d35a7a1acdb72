// Model setting `notify_after`: n of the last m scored intervals start an anomaly, in a row or not; pure.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";

const MAX_INTERVALS = 60;

const intervals = (description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: MAX_INTERVALS,
    description,
    rule: `must be a whole number of intervals, from 1 to ${MAX_INTERVALS}`,
  });

export const NotifyAfter = Type.Object(
  {
    n: intervals("How many of them must be above max_threshold"),
    of: intervals("Number of intervals looked at, at least n; those without a score do not count"),
  },
  {
    additionalProperties: false,
    description:
      "An anomaly starts once `n` of the last `of` scored intervals are above max_threshold, this one included; `{n: k, of: k}` is `min_duration: k`, so that only one of the two may be given",
    rule: 'must be an object, as in {"n": 3, "of": 5}',
  },
);
export type NotifyAfter = Static<typeof NotifyAfter>;

interface WithNotifyAfter {
  readonly notify_after?: NotifyAfter | undefined;
  readonly min_duration?: number | undefined;
}

/** @throws TorusError `invalid` with path, rule and remedy */
export function checkNotifyAfter({ notify_after, min_duration }: WithNotifyAfter): void {
  if (!notify_after) return;
  if (min_duration !== undefined)
    throw invalid(
      "notify_after",
      "must not be given beside min_duration: {n: k, of: k} means min_duration k; remove one of them, in a PATCH by null",
    );
  const { n, of } = notify_after;
  if (of < n) throw invalid("notify_after.of", `must not be below n (${n}): raise of, or lower n`);
}
