// Neighbours: histories survive encoding; what is prepared from a history equals what grew point by point.
import { expect, test } from "bun:test";
import { Neighbours } from "../../../../src/models/detectors/neighbours/neighbours.ts";
import {
  decodeHistory,
  dequantise,
  encodeHistory,
  HISTORY_LENGTH,
  LONGEST_SPAN,
  quantise,
} from "../../../../src/models/detectors/neighbours/quanta.ts";
import { createRandom } from "../../../../wasm/random.ts";

const random = createRandom(9);
const series = Float64Array.from({ length: HISTORY_LENGTH + 300 }, () => random.normal());

test.each([0, 1, 7, HISTORY_LENGTH])("a history of %i values survives encoding", (length) => {
  const quanta = series.subarray(0, length).map(quantise);
  // An integer has one zero only.
  expect([...decodeHistory(encodeHistory(quanta))]).toEqual([...new Int16Array(quanta)]);
});

test("extremes survive, older values than windows need do not", () => {
  const quanta = new Float64Array(HISTORY_LENGTH + 2).fill(quantise(-1e9), 0, 5).fill(quantise(1e9), 5);
  const known = decodeHistory(encodeHistory(quanta));
  expect(known).toHaveLength(HISTORY_LENGTH);
  expect([known[0], known[2], known[3]]).toEqual([-32_767, -32_767, 32_767]);
});

test.each([3, 10, 40, LONGEST_SPAN])("windows of %i points: from a history as point by point", (span) => {
  const grown = new Neighbours(new Float64Array(), series.length);
  for (const z of series) {
    grown.prepare(span);
    grown.push(z);
  }
  const restored = new Neighbours(decodeHistory(encodeHistory(grown.toHistory())), 1);
  for (const neighbours of [grown, restored]) expect(neighbours.prepare(span)).toBe(true);
  expect(restored.nearest(span, 0.5)).toEqual(grown.nearest(span, 0.5));
  expect(restored.expected(span)).toBe(grown.expected(span));
});

test("sums that another series has released do not reach the next one", () => {
  const spans = [3, 10, 40];
  const search = (history: Float64Array, isReleased: boolean) => {
    const neighbours = new Neighbours(history.map(quantise), 2);
    const found = [0.5, -1].flatMap((z) => {
      const ofPoint = spans.map((span) => neighbours.prepare(span) && neighbours.nearest(span, z));
      neighbours.push(z);
      return ofPoint;
    });
    if (isReleased) neighbours.release();
    return found;
  };
  const [long, short] = [series.subarray(200), series.subarray(0, 200)];
  const alone = search(short, false);
  search(long, true);
  expect(search(short, true)).toEqual(alone);
  expect(search(long, true)).toEqual(search(long, false));
});

test("a released series goes on as before", () => {
  const neighbours = new Neighbours(series.map(quantise), 1);
  neighbours.prepare(10);
  const before = neighbours.nearest(10, 0.5);
  neighbours.release();
  expect(neighbours.prepare(10)).toBe(true);
  expect(neighbours.nearest(10, 0.5)).toEqual(before);
});

test("values of an anomaly are recorded, and no window to compare with", () => {
  const neighbours = new Neighbours(Float64Array.of(1, 2, 3).map(quantise), 1);
  neighbours.bar(1, true);
  expect([0, 1, 2, 3].map((age) => neighbours.valueBefore(age))).toEqual([
    neighbours.recorded(0),
    Number.NaN,
    neighbours.recorded(2),
    Number.NaN,
  ]);
  expect(neighbours.recorded(1)).toBeCloseTo(2, 3);
  expect(neighbours.count).toBe(3);
});

test("the nearest window is the furthest back of the least sum, as a plain search finds it", () => {
  // Three values, so that many windows are equal, and every seventh barred.
  const values = Float64Array.from({ length: 400 }, () => dequantise(500 * Math.round(random.uniform() * 2)));
  const neighbours = new Neighbours(new Float64Array(), values.length);
  const spans = [3, 10, 40];
  for (const [i, value] of values.entries()) {
    for (const span of spans) {
      if (!neighbours.prepare(span)) continue;
      expect(neighbours.nearest(span, value)).toMatchObject(nearestOf(values.subarray(0, i + 1), span));
    }
    neighbours.push(value);
    neighbours.bar(0, i % 7 === 0);
  }
});

/** The windows of the values up to the last one compared one by one. */
function nearestOf(values: Float64Array, span: number): { lag: number } {
  let [least, lag] = [Number.POSITIVE_INFINITY, 0];
  for (let other = values.length - 1 - span + 1; other >= Math.max(1, span, 3); other--) {
    if ((values.length - 1 - other) % 7 === 0) continue;
    let sum = 0;
    for (let k = 0; k < span; k++) sum += quantise(values.at(-1 - k)! - values.at(-1 - k - other)!) ** 2;
    if (sum < least) [least, lag] = [sum, other];
  }
  return { lag };
}
