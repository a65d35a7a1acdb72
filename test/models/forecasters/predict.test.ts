// Forecast of a stored combination: a network that knows the level before a step alone has no part until a day is over.
import { expect, test } from "bun:test";
import { fitForecast } from "../../../src/models/forecasters/fit.ts";
import { predictFeature } from "../../../src/models/forecasters/predict.ts";
import { DAY, HOUR, makeColumn, makeNoise, signal } from "./support.ts";

const LENGTH = 14 * DAY;

/** First value of a forecast that a network has half of; the last `hours` of the history are at 60. */
async function forecastAfter(hours: number, network = async () => new Float64Array(3).fill(100)) {
  const noise = makeNoise(3);
  const column = makeColumn(LENGTH, (i) => (i < LENGTH - hours ? 100 : 60) + noise());
  const series = { column, intervalMs: HOUR };
  const fitted = await fitForecast({ series, heldOutFrom: LENGTH - 2 * DAY, forecaster: "auto" }, signal);
  const member = {
    ...fitted.members[0]!,
    method: "donut",
    weight: 1,
    shares: [1, 1, 1],
    biases: undefined,
  } as const;
  const parameters = { ...fitted, breaks: true, members: [...fitted.members, member] };
  const input = { series, horizon: 3, levels: [0.9], network };
  const { predicted } = await predictFeature(parameters as typeof fitted, input, signal);
  return predicted[0]!;
}

test.each([6, 20])("%i hours after a step it is left out", async (hours) => {
  expect(await forecastAfter(hours)).toBeWithin(55, 65);
});

test("later it counts again", async () => {
  expect(await forecastAfter(40)).toBeWithin(70, 90);
});

test("an error of the network, which runs beside the others, is that of the forecast", async () => {
  const failing = forecastAfter(40, () => Promise.reject(new Error("worker crashed")));
  await expect(failing).rejects.toThrow("worker crashed");
});
