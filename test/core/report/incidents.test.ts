// Incidents across models: what overlaps and shares a tag is one, and nothing else is.
import { expect, test } from "bun:test";
import type { AnomalyView } from "../../../src/api/anomaly.ts";
import { groupIncidents, modelsOf, spanOfIncident, verdictOf } from "../../../src/core/report/incidents.ts";

const anAnomaly = (id: string, own: Partial<AnomalyView> = {}) =>
  ({ id, model: `model-${id}`, start: 0, end: 10, features: {}, ...own }) as AnomalyView;
const host = (value: string) => ({ series: { host: value } });
const idsOf = (list: readonly AnomalyView[]) =>
  groupIncidents(list).map(({ tag, members }) => [tag, members.map(({ id }) => id).join("")]);

test("what overlaps in time and shares a tag across models is one, in the order of the list", () => {
  const list = [
    anAnomaly("a", host("x")),
    anAnomaly("b", host("y")),
    anAnomaly("c", { ...host("x"), start: 9, end: null }),
    anAnomaly("d", { ...host("x"), start: 5000 }),
  ];
  expect(idsOf(list)).toEqual([
    ["host=x", "acd"],
    [undefined, "b"],
  ]);
});

test("what only touches, other values, empty ones and one model by itself are no incident", () => {
  const apart = [
    anAnomaly("a", host("x")),
    anAnomaly("b", { ...host("x"), start: 10 }),
    anAnomaly("c", host("y")),
    anAnomaly("d", host("")),
    anAnomaly("e", host("")),
    anAnomaly("f", { ...host("y"), model: "model-c" }),
  ];
  expect(idsOf(apart).map(([tag]) => tag)).toEqual(apart.map(() => undefined));
});

test("of several tags the one of most models counts, then the most specific", () => {
  const series = (name: string) => ({ series: { dc: "1", host: name } });
  const list = [
    anAnomaly("a", series("x")),
    anAnomaly("b", series("x")),
    anAnomaly("c", { ...series("y"), model: "model-a" }),
  ];
  expect(idsOf(list)).toEqual([
    ["host=x", "ab"],
    [undefined, "c"],
  ]);
  const more = [...list, anAnomaly("d", series("z"))];
  expect(idsOf(more)).toEqual([["dc=1", "abcd"]]);
});

test("a model of one series counts by the tags that all its features share; a whole fleet by none", () => {
  const tags = (...all: readonly object[]) => ({
    features: Object.fromEntries(all.map((each, i) => [`f${i}`, { tags: each }])) as AnomalyView["features"],
  });
  const one = anAnomaly("a", tags({ host: "x", cpu: "0" }, { host: "x", cpu: "1" }));
  expect(idsOf([one, anAnomaly("b", host("x"))])).toEqual([["host=x", "ab"]]);
  expect(idsOf([one, anAnomaly("b", { series: { cpu: "0" } })])).toHaveLength(2);
  expect(idsOf([one, anAnomaly("b", { ...tags({ host: "x" }), scope: "fleet" })])).toHaveLength(2);
});

test("an incident lasts while one member does, and has a verdict where all have the same", () => {
  const judged = (anomaly: boolean) => ({ feedback: { anomaly, at: 0 } });
  const members = [
    anAnomaly("a", { start: 5, ...judged(false) }),
    anAnomaly("b", { end: 12, ...judged(false) }),
  ];
  expect(spanOfIncident({ members })).toEqual({ start: 0, end: 12 });
  expect(spanOfIncident({ members: [...members, anAnomaly("c", { end: null })] }).end).toBeNull();
  expect(verdictOf({ members })).toBe(false);
  for (const other of [anAnomaly("c"), anAnomaly("c", judged(true))])
    expect(verdictOf({ members: [...members, other] })).toBeUndefined();
  expect(modelsOf({ members: [...members, ...members] })).toEqual(["model-a", "model-b"]);
});

test("what starts long after the last member is another incident", () => {
  const at = (id: string, start: number) => anAnomaly(id, { ...host("x"), start, end: null });
  const groups = groupIncidents([at("a", 0), at("b", 900), at("c", 1800), at("d", 2701)], { within: 900 });
  expect(groups.map(({ members }) => members.map(({ id }) => id).join(""))).toEqual(["abc", "d"]);
});

test("series of one fleet that go wrong together are one incident where they are enough", () => {
  const of = (id: string, name: string, start = 0) =>
    anAnomaly(id, { ...host(name), model: "fleet", start, end: start + 100 });
  const list = [of("a", "x"), of("b", "y", 50), of("c", "z", 60), of("d", "w", 500), of("e", "w", 510)];
  const idsWith = (rules: { leastSeries?: number }) =>
    groupIncidents(list, rules).map(({ tag, members }) => [tag, members.map(({ id }) => id).join("")]);
  expect(idsWith({ leastSeries: 3 })).toEqual(["abc", "d", "e"].map((ids) => [undefined, ids]));
  expect(idsWith({ leastSeries: 4 })).toHaveLength(5);
  expect(idsWith({})).toHaveLength(5);
});
