// State of a model in one word, worst first.
import { expect, test } from "bun:test";
import { stateOfModel } from "../../../src/core/model/model-state.ts";

const trained = { state: { trained: true } };
const untrained = { state: { trained: false } };
const live = { failures: 0 };
const series = { new: 0, watched: 0, anomalous: 0 };

test.each([
  ["anomaly", { ...trained, live: { failures: 2, anomaly: {} } }],
  ["anomaly", { live, state: { trained: true, series: { ...series, anomalous: 1 } } }],
  ["failing", { ...trained, live: { failures: 1 } }],
  ["no_data", { ...trained, live: { failures: 0, silence: {} }, training: { state: "running" } }],
  ["no_data", { ...untrained, live: { failures: 0, silence: {} } }],
  ["no_data", { live, state: { trained: true, series } }],
  ["anomaly", { ...trained, live: { failures: 0, silence: {}, anomaly: {} } }],
  ["failing", { ...trained, live: { failures: 1, silence: {} } }],
  ["training", { ...trained, training: { state: "waiting" } }],
  ["training", { ...untrained, training: { state: "running" } }],
  ["learning", { ...untrained, live }],
  ["live", { ...trained, live, training: { state: "done" } }],
  ["live", { live, state: { trained: true, series: { ...series, watched: 1 } } }],
  ["live", { live, state: { trained: true, series: { ...series, new: 1 } } }],
  ["stopped", trained],
  ["untrained", untrained],
] as const)("%s", (state, model) => expect<string>(stateOfModel(model)).toBe(state));
