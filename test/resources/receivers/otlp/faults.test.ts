// Points of OpenTelemetry metrics that are refused, and those beside them that are not.
import { expect, test } from "bun:test";
import { faultOf } from "../../../../src/resources/receivers/otlp/faults.ts";
import {
  type DataPoint,
  emptyPoint,
  type MetricKind,
} from "../../../../src/resources/receivers/otlp/metric.ts";

const NOW = Date.UTC(2026, 0, 1);
const aPoint = (own: Partial<DataPoint>): DataPoint => ({ ...emptyPoint(), at: NOW, ...own });
const explicit = { bounds: [1, 2], counts: [1, 2, 3], count: 6 };

test.each<[MetricKind, Partial<DataPoint>, string]>([
  ["gauge", { value: 1, at: 0 }, "time: has a point without a time"],
  ...[1e3, 1e6, 1e9].map((factor): [MetricKind, Partial<DataPoint>, string] => [
    "gauge",
    { value: 1, at: NOW / factor },
    "time: has a point of January 1970: timeUnixNano is in nanoseconds",
  ]),
  ["sum", {}, "malformed: has a point without a value"],
  ["histogram", { ...explicit, counts: [1, 2] }, "malformed: has 2 buckets and 2 bounds"],
  ["histogram", { ...explicit, counts: [-1, 2, 3] }, "malformed: has a count that is no whole number"],
  ["histogram", { ...explicit, counts: [1.5, 2, 3] }, "malformed: has a count"],
  ["histogram", { ...explicit, count: -6 }, "malformed: has a count"],
  ["histogram", { ...explicit, bounds: [2, 1] }, "malformed: has bounds that do not rise"],
  ["histogram", { ...explicit, bounds: [1, 1] }, "malformed: has bounds that do not rise"],
  ["histogram", { ...explicit, bounds: [Number.NaN, 1] }, "malformed: has bounds"],
  ["histogram", { counts: Array(1001).fill(1), bounds: [] }, "kind: has more than 1000 buckets"],
  ["exponential", { scale: 21, positive: { offset: 0, counts: [1] } }, "malformed: has a scale"],
  ["exponential", { scale: -11, negative: { offset: 0, counts: [1] } }, "malformed: has a scale"],
  ["exponential", { positive: { offset: 1024, counts: [1] } }, "malformed: has a scale or an offset"],
  ["exponential", { zeroCount: -1 }, "malformed: has a count"],
  ["summary", { quantiles: [{ quantile: 95, value: 1 }] }, "malformed: has a quantile outside of 0 to 1"],
])("%s %j", (kind, point, message) => {
  const fault = faultOf(kind, aPoint(point), false);
  expect(`${fault?.reason}: ${fault?.text}`).toStartWith(message);
});

test.each<[MetricKind, Partial<DataPoint>]>([
  ["gauge", { value: Number.NaN }],
  ["histogram", explicit],
  ["histogram", { count: 6, sum: 10 }],
  ["histogram", { counts: [6], count: 6 }],
  ["exponential", { scale: -10, positive: { offset: -1, counts: [1] } }],
  ["exponential", { scale: 20, positive: { offset: 2 ** 29, counts: [1] } }],
  ["summary", { quantiles: [{ quantile: 1, value: 1 }] }],
])("%s %j is taken", (kind, point) => expect(faultOf(kind, aPoint(point), false)).toBeUndefined());

test("without a value by its flag, a point needs none", () => {
  for (const kind of ["sum", "histogram", "exponential", "summary"] as const)
    expect(faultOf(kind, aPoint({ flags: 1 }), true)).toBeUndefined();
});
