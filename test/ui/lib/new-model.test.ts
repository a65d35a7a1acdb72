// New models from the choices of an address: fields, names, features, intervals.
import { expect, test } from "bun:test";
import { checkModelRules } from "../../../src/core/model/rules.ts";
import { formatFields, parseFields, planModels, proposeName } from "../../../src/ui/lib/new-model.ts";

test("fields with any character survive the address", () => {
  const fields = ["a;b", "100 %", "c"];
  expect(parseFields(formatFields(fields))).toEqual(fields);
  expect(parseFields(undefined)).toEqual([]);
});

const params = { bucket: "b", measurement: "cpu", field: "user", tags: "host=web 1" };

test("one field with its tags", () =>
  expect(planModels(params, 300)).toEqual([
    {
      name: "cpu-user-web_1",
      type: "donut",
      default_bucket: "b",
      bucket_interval: 300,
      offset: "auto",
      detector: "auto",
      silence: "auto",
      features: [
        {
          name: "user",
          metric: "avg",
          field: "user",
          measurement: "cpu",
          match_all: [{ tag: "host", value: "web 1" }],
        },
      ],
    },
  ]));

test("several fields are features of one model, or one model each", () => {
  const several = { bucket: "b", field: "x;y", name: "m", metric: "max", every: "1m" };
  expect(planModels(several, 5)).toMatchObject([
    { name: "m", bucket_interval: "1m", features: [{ name: "x", metric: "max" }, { name: "y" }] },
  ]);
  expect(planModels({ ...several, each: "1" }, 5)).toMatchObject([
    { name: "m-x", features: [{ field: "x" }] },
    { name: "m-y", features: [{ field: "y" }] },
  ]);
});

test("tags of the group make a fleet, with its limit and comparison", () => {
  const fleet = planModels({ ...params, group: "host;a%3Bb", max: "50", peers: "1" }, 300);
  expect(fleet).toMatchObject([{ group_by: ["host", "a;b"], max_series: 50, peers: true }]);
  expect(planModels({ ...params, group: "host", max: "many" }, 300)[0]!.max_series).toBe("many");
  const [one] = planModels({ ...params, max: "50", peers: "1" }, 300);
  for (const key of ["group_by", "max_series", "peers"]) expect(one).not.toHaveProperty(key);
});

test("without a first look the interval is left to the training", () =>
  expect(planModels({ field: "x" }, undefined)[0]!.bucket_interval).toBe("auto"));

test("names of features are accepted by the server, whatever the fields are called", () => {
  const field = formatFields(["a b", "a_b", "score", "%%", "ü"]);
  const [model] = planModels({ bucket: "b", field, name: "m" }, 60);
  expect(model!.features.map(({ name }) => name)).toEqual(["a_b", "a_b_1", "score_1", "_", "__1"]);
  expect(() => checkModelRules(model as never)).not.toThrow();
});

test.each([
  [{ bucket: "b", field: "x" }, "b-x"],
  [{ bucket: "b", measurement: "m", field: "x;y" }, "m"],
  [{}, ""],
])("the name proposed for %j is %p", (choices, name) => expect(proposeName(choices)).toBe(name));
