// State of a model in one word, and the order of the list.
import { expect, test } from "bun:test";
import type { ModelView } from "../../../src/api/model.ts";
import { nameOf, sourceOf, stateOfModel, worstFirst } from "../../../src/ui/lib/model-state.ts";

const settings = {
  name: "m",
  default_bucket: "b",
  bucket_interval: "5m",
  features: [{ name: "v", metric: "avg", field: "load" }],
};
const aView = (own: object) => ({ settings, state: { trained: true }, ...own }) as unknown as ModelView;
const live = { failures: 0 };
const untrained = { state: { trained: false } };

test.each([
  ["anomaly", { live: { ...live, failures: 2, anomaly: {} } }],
  ["failing", { live: { failures: 1 } }],
  ["training", { training: { state: "waiting" } }],
  ["learning", { ...untrained, live }],
  ["live", { live, training: { state: "done" } }],
  ["stopped", {}],
  ["untrained", untrained],
])("%s", (state, own) => expect<string>(stateOfModel(aView(own))).toBe(state));

test("worst first, then by name", () => {
  const named = (name: string, own: object) => aView({ settings: { ...settings, name }, ...own });
  const list = [
    named("b", { live }),
    named("a", { live }),
    named("z", { live: { ...live, anomaly: {} } }),
    named("c", {}),
  ];
  expect(worstFirst(list).map(nameOf)).toEqual(["z", "a", "b", "c"]);
});

test("the source names bucket, first feature and interval", () => {
  expect(sourceOf(aView({}))).toBe("b · avg(load) · 5m");
  expect(sourceOf(aView({ settings: { ...settings, bucket_interval: 300 } }))).toBe("b · avg(load) · 5 min");
  const features = [
    { name: "rate", query: "up" },
    { name: "other", query: "down" },
  ];
  expect(sourceOf(aView({ settings: { ...settings, features } }))).toBe("b · rate +1 · 5m");
});
