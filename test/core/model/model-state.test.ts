// State of a model in one word, worst first.
import { expect, test } from "bun:test";
import { stateOfModel } from "../../../src/core/model/model-state.ts";

const trained = { state: { trained: true } };
const untrained = { state: { trained: false } };
const live = { failures: 0 };

test.each([
  ["anomaly", { ...trained, live: { failures: 2, anomaly: {} } }],
  ["anomaly", { live, state: { trained: true, series: { anomalous: 1 } } }],
  ["failing", { ...trained, live: { failures: 1 } }],
  ["training", { ...trained, training: { state: "waiting" } }],
  ["training", { ...untrained, training: { state: "running" } }],
  ["learning", { ...untrained, live }],
  ["live", { ...trained, live, training: { state: "done" } }],
  ["live", { live, state: { trained: true, series: { anomalous: 0 } } }],
  ["stopped", trained],
  ["untrained", untrained],
] as const)("%s", (state, model) => expect<string>(stateOfModel(model)).toBe(state));
