// Causes told in notifications: probable ones of real starts, twenty in a minute.
import { expect, test } from "bun:test";
import { ToldCauses } from "../../../src/resources/related/told-cause.ts";
import { makeEnd, makeStart } from "../../hooks/events.ts";

const first = {
  ...{ model: "db", feature: "latency", series: { service: "db" }, confidence: 0.6 },
  reasons: ["moved 3 min before it", "shares host=a", "never deviated this much in 30 days before"],
};
let now = 0;
function causesOf(found: object | Error) {
  let asked = 0;
  const ofAnomaly = async () => {
    asked++;
    if (found instanceof Error) throw found;
    return found;
  };
  const causes = new ToldCauses({ related: { ofAnomaly }, clock: { now: () => now } } as never);
  return { causes, asked: () => asked };
}

test("a probable cause is told with two reasons", async () => {
  const { causes } = causesOf({ related: [first], anomaly: { confidence: 0.2 } });
  expect(await causes.find(makeStart())).toBe(
    "latency of db (service=db): moved 3 min before it, shares host=a",
  );
});

test.each([
  ["nothing is related", { related: [] }],
  ["it is improbable", { related: [{ ...first, confidence: 0.2 }], anomaly: { confidence: 0.1 } }],
  ["the anomaly itself was first", { related: [first], anomaly: { confidence: 0.7 } }],
  ["nothing can be found", new Error("gone")],
])("none is told where %s", async (_, found) => {
  expect(await causesOf(found).causes.find(makeStart())).toBeUndefined();
});

test("ends and tests ask for none, and a storm for twenty in a minute", async () => {
  const { causes, asked } = causesOf({ related: [first], anomaly: { confidence: 0 } });
  await causes.find(makeEnd());
  await causes.find(makeStart({ test: true }));
  expect(asked()).toBe(0);
  for (let i = 0; i < 30; i++) await causes.find(makeStart());
  expect(asked()).toBe(20);
  now += 60_000;
  await causes.find(makeStart());
  expect(asked()).toBe(21);
});
