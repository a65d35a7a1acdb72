// Joint detector: a relation that breaks is rare though every value is usual, noise is not, a lasting one becomes usual.
import { expect, test } from "bun:test";
import { type Joint, jointSteps } from "../../../src/models/joint/joint.ts";
import { JointPass } from "../../../src/models/joint/joint-pass.ts";
import { finish } from "../../../src/runtime/steps.ts";
import { createRandom } from "../../../wasm/random.ts";

const MINUTE = 60_000;
const TRAINED = 4000;
const thresholds = { max: 60, min: 30 };

/** A load, and a second feature that follows it, or else is away from it towards the mean. */
function makeColumns(length: number, follows: (i: number) => boolean = () => true): Float64Array[] {
  const random = createRandom(4);
  const load = Float64Array.from({ length }, () => random.normal());
  const away = (i: number, value: number) => (follows(i) ? 0 : value > 0 ? -1.5 : 1.5);
  const follower = load.map((value, i) => value + away(i, value) + 0.1 * random.normal());
  return [load, follower];
}

function fit(columns: readonly Float64Array[]): Joint | undefined {
  return finish(jointSteps({ startAt: 0, intervalMs: MINUTE, columns }));
}

/** Scores after the training. */
function run(
  pass: JointPass,
  columns: readonly Float64Array[],
  { from = TRAINED, to = columns[0]!.length } = {},
) {
  return Array.from({ length: to - from }, (_, k) => {
    const point = pass.judge(
      (from + k) * MINUTE,
      columns.map((column) => column[from + k]!),
    );
    const score = point ? (100 * point.rarity) / 6 : 0;
    pass.add(score);
    return score;
  });
}

const passOf = (joint: Joint, memory?: ReturnType<JointPass["toMemory"]>) =>
  new JointPass(joint, { intervalMs: MINUTE, thresholds }, memory);

test("a relation that breaks is rare within two points, and over soon after; what keeps to it is not", () => {
  const columns = makeColumns(TRAINED + 1000, (i) => i < TRAINED + 80 || i >= TRAINED + 100);
  const scores = run(passOf(fit(columns.map((column) => column.slice(0, TRAINED)))!), columns);
  expect(scores.findIndex((score) => score > thresholds.max)).toBeWithin(80, 83);
  expect(scores[96]!).toBeGreaterThan(thresholds.max);
  expect(Math.max(...scores.slice(103))).toBeLessThan(thresholds.max);
});

test("a relation that stays another becomes usual within two days", () => {
  const columns = makeColumns(TRAINED + 4000, (i) => i < TRAINED);
  const scores = run(passOf(fit(columns.map((column) => column.slice(0, TRAINED)))!), columns);
  expect(scores[700]).toBeGreaterThan(thresholds.max);
  const later = scores.slice(3500);
  expect(later.filter((score) => score > thresholds.max).length / later.length).toBeLessThan(0.05);
});

test("a second pass goes on where the first has ended, also within an anomaly", () => {
  const columns = makeColumns(TRAINED + 200, (i) => i < TRAINED + 80);
  const joint = fit(columns.map((column) => column.slice(0, TRAINED)))!;
  const whole = run(passOf(joint), columns);
  for (const cut of [40, 100]) {
    const first = passOf(joint);
    const before = run(first, columns, { to: TRAINED + cut });
    const memory = JSON.parse(JSON.stringify(first.toMemory()));
    const after = run(passOf(joint, memory), columns, { from: TRAINED + cut });
    expect([...before, ...after]).toEqual(whole);
  }
});

test("one feature, and fewer than 200 points, have none", () => {
  const [load] = makeColumns(1000) as [Float64Array];
  expect(fit([load])).toBeUndefined();
  expect(fit(makeColumns(199))).toBeUndefined();
  expect(fit(makeColumns(200))).toBeDefined();
});

test("an interval without any value is not judged", () => {
  const joint = fit(makeColumns(TRAINED))!;
  expect(passOf(joint).judge(TRAINED * MINUTE, [Number.NaN, Number.NaN])).toBeUndefined();
});
