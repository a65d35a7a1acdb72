// Forecast of a stored combination: members that know nothing of the present leave their part to the others.
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

test("leads whose members all find nothing to follow are forecast by the members of the others", async () => {
  const noise = makeNoise(4);
  const column = makeColumn(LENGTH, (i) => 100 + 20 * Math.sin((2 * Math.PI * i) / DAY) + noise());
  const series = { column, intervalMs: HOUR };
  const fitted = await fitForecast({ series, heldOutFrom: LENGTH - 5 * DAY, forecaster: "auto" }, signal);
  const own = { season: "day", scale: "linear", weight: 0.5, biases: undefined } as const;
  const members = [
    { ...own, method: "level", shares: [1, 0, 0] },
    { ...own, method: "bend", shares: [0, 1, 1] },
  ] as const;
  const parameters = { ...fitted, members } as unknown as typeof fitted;
  const { predicted } = await predictFeature(parameters, { series, horizon: 2 * DAY, levels: [0.9] }, signal);
  // Six and eighteen hours after midnight, two days on.
  expect(predicted[DAY + 6]!).toBeWithin(115, 125);
  expect(predicted[DAY + 18]!).toBeWithin(75, 85);
});
