// Plans of migrations: tags, the settings that most have in common, and the reasons of models that stay.
import { expect, test } from "bun:test";
import { planMigration } from "../../../../src/core/model/migration/plan.ts";
import type { ModelSettings } from "../../../../src/core/model/model.ts";
import { aModel } from "../../../support/builders.ts";

type Match = Readonly<Record<string, string>>;

const aFeature = (match: Match, own = {}) => ({
  name: "v",
  metric: "avg",
  field: "v",
  match_all: Object.entries(match).map(([tag, value]) => ({ tag, value })),
  ...own,
});
const aLoad = (name: string, match: Match, own: Partial<ModelSettings> = {}) =>
  aModel({ name, features: [aFeature(match)], ...own });
const template = { name: "{{host}}", features: [aFeature({ dc: "fra", host: "{{host}}" })] };
const plan = (models: readonly ModelSettings[], groupBy?: readonly string[]) =>
  planMigration(models, { name: "load", template, groupBy });

test("models of one shape become a fleet, their tags its series", () => {
  const models = ["b", "a"].map((host) => aLoad(host, { dc: "fra", host }, { max_threshold: 70 }));
  expect(plan(models)).toMatchObject({
    settings: {
      ...aModel({ name: "load", max_threshold: 70 }),
      group_by: ["host"],
      features: [{ ...aFeature({ dc: "fra" }) }],
    },
    groupBy: ["host"],
    members: [
      { model: "a", series: { host: "a" } },
      { model: "b", series: { host: "b" } },
    ],
    left: [],
  });
});

test("a feature whose tags are all of group_by has no match_all", () => {
  const [feature] = plan(["a", "b"].map((host) => aLoad(host, { host }))).settings.features;
  expect(feature).toEqual({ name: "v", metric: "avg", field: "v" });
});

test("a tag that differs between most models is of group_by, too", () => {
  const models = [
    aLoad("a0", { dc: "fra", host: "a", cpu: "0" }),
    aLoad("a1", { dc: "fra", host: "a", cpu: "1" }),
    aLoad("b0", { dc: "fra", host: "b", cpu: "0" }),
    aLoad("odd", { dc: "fra", host: "c", disk: "sda" }),
  ];
  const { groupBy, members, left } = plan(models);
  expect(groupBy).toEqual(["host", "cpu"]);
  expect(members[1]).toMatchObject({ model: "a1", series: { host: "a", cpu: "1" } });
  expect(left).toEqual([{ model: "odd", reason: "feature v has no tag cpu in match_all" }]);
});

test("numbers and booleans are compared with tags as texts", () => {
  const of = (name: string, value: string | number) =>
    aModel({
      name,
      features: [{ name: "v", metric: "avg", field: "v", match_all: [{ tag: "host", value }] }],
    });
  expect(plan([of("a", 1), of("b", "2")]).members.map(({ series }) => series)).toEqual([
    { host: "1" },
    { host: "2" },
  ]);
});

const twoFeatures = [
  aFeature({ dc: "fra", host: "x" }),
  { ...aFeature({ dc: "fra", host: "y" }), name: "w" },
];
const refusals: readonly [string, Partial<ModelSettings>, string][] = [
  ["another interval", { bucket_interval: "5m" }, "differs from the others in bucket_interval"],
  ["another bucket", { default_bucket: "c" }, "differs from the others in default_bucket"],
  [
    "other features",
    { features: [aFeature({ dc: "fra", host: "x" }, { metric: "max", min: 0 })] },
    "differs from the others in features.v.metric, features.v.min",
  ],
  [
    "another match",
    { features: [aFeature({ dc: "ams", host: "x" })] },
    "differs from the others in features.v.match_all",
  ],
  ["no tag", { features: [aFeature({ dc: "fra" })] }, "feature v has no tag host in match_all"],
  ["tags by feature", { features: twoFeatures }, "its features have different values of tag host"],
  ["a fleet", { group_by: ["host"] }, "has group_by: it is a fleet already"],
  [
    "a series that there is",
    { features: [aFeature({ dc: "fra", host: "a" })] },
    "has the same series as a: host=a",
  ],
];
test.each(refusals)("a model stays with %s", (_name, own, reason) => {
  const alike = ["a", "b"].map((host) => aLoad(host, { dc: "fra", host }));
  const { members, left } = plan([...alike, aLoad("x", { dc: "fra", host: "x" }, own)], ["host"]);
  expect(members.map(({ model }) => model)).toEqual(["a", "b"]);
  expect(left).toEqual([{ model: "x", reason }]);
});

test("the order of keys, features and matches does not matter", () => {
  const [first, second] = ["v", "w"].map((name) => ({ ...aFeature({ dc: "fra", host: "a" }), name }));
  const turned = aFeature({ host: "b", dc: "fra" });
  const models = [
    aModel({ name: "a", features: [first!, second!] }),
    aModel({ name: "b", features: [{ ...turned, name: "w" }, turned] }),
  ];
  expect(plan(models).members.length).toBe(2);
});

test("each series keeps false alarms of its own, so that automatic thresholds stay", () => {
  const models = [aLoad("a", { host: "a" }), aLoad("b", { host: "b" })];
  expect(plan(models).settings.expected_false_alarms_per).toBe("series");
});

test("more members than a fleet watches by default make room for as many again", () => {
  const models = Array.from({ length: 1001 }, (_, i) => aLoad(`m${i}`, { host: String(i) }));
  expect(plan(models).settings.max_series).toBe(2002);
});

test.each([
  [
    "a foreign tag",
    ["rack"],
    "group_by: must be tags in match_all of the models: none has rack, they have host",
  ],
  ["no tag", undefined, "group_by: is required: no tag in match_all of the models differs; they have none"],
] as const)("%s is refused", (_name, groupBy, message) => {
  const match: Match = groupBy ? { host: "a" } : {};
  expect(() => plan([aLoad("a", match)], groupBy)).toThrow(message);
});

test("models of which no two fit together are refused with their reasons", () => {
  const models = [aLoad("a", { host: "a" }), aLoad("b", { host: "b" }, { bucket_interval: "5m" })];
  expect(() => plan(models)).toThrow(
    "models: must be models that fit together: b differs from the others in bucket_interval",
  );
});
