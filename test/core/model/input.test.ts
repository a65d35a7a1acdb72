// Normalisation of models: legacy groups of features, null for absent, numbers as strings.
import { expect, test } from "bun:test";
import { flattenFeatures, tidyModel } from "../../../src/core/model/input.ts";

const feature = { name: "f", metric: "avg", field: "x" };

test.each([
  ["what is fine stays", { name: "m", features: [feature] }, { name: "m", features: [feature] }],
  ["null where it is a value stays", { routing: null, span: null }, { routing: null, span: null }],
  ["null where it is none goes", { name: null, max_threshold: null, forecast: null, seasonality: null }, {}],
  ["null of an unknown key stays, to be refused", { spam: null }, { spam: null }],
  [
    "features one by one",
    { features: [{ ...feature, default: null, anomaly_type: null, io: null }, 5] },
    { features: [{ ...feature, default: null, io: null }, 5] },
  ],
  [
    "groups of features",
    { features: { io: [feature], o: feature } },
    {
      features: [
        { io: "io", ...feature },
        { io: "o", ...feature },
      ],
    },
  ],
  [
    "texts that stand for whole numbers and booleans",
    { span: "20", max_evals: " 5 ", seasonality: { daytime: "True", weekday: 0 }, name: "7", offset: "60" },
    { span: 20, max_evals: 5, seasonality: { daytime: true, weekday: false }, name: "7", offset: "60" },
  ],
  [
    "other texts stay, to be refused",
    { span: "1.5", forecast: "auto", seasonality: { daytime: "" } },
    { span: "1.5", forecast: "auto", seasonality: { daytime: "" } },
  ],
  ["no features", { features: null }, {}],
  ["what is no list", { features: "all" }, { features: "all" }],
] as [string, Record<string, unknown>, Record<string, unknown>][])("%s", (_name, body, expected) => {
  expect(tidyModel(body)).toEqual(expected);
});

test.each([
  [[feature], [feature]],
  [{ io: [feature] }, [{ io: "io", ...feature }]],
  [
    { i: feature, o: [feature] },
    [
      { io: "i", ...feature },
      { io: "o", ...feature },
    ],
  ],
  [
    { io: [feature], extra: 1 },
    { io: [feature], extra: 1 },
  ],
  ["text", "text"],
  [null, null],
])("flattening %j", (features, expected) => {
  expect(flattenFeatures(features)).toEqual(expected);
});
