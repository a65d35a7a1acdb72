// Devices of Home Assistant: discovery and state of models, fleets, and models that are not live.
import { expect, test } from "bun:test";
import { type DevicePlace, describeDevice, type WatchedModel } from "../../src/delivery/devices.ts";

const DAY_MS = 86_400_000;
const place = {
  prefix: "homeassistant",
  stateTopic: "torus/{model}/state",
  statusTopic: "torus/status",
  version: "9.9.9",
};
const live = {
  isAnomalous: true,
  isSilent: false,
  anomalousSeries: 0,
  score: 81.512345678,
  values: { power: 3.5 },
  expected: { power: 1.25 },
};
const heat: WatchedModel = {
  name: "heat@pump",
  features: [{ name: "power", unit: "kW" }],
  isFleet: false,
  live,
  limitAt: 10 * DAY_MS,
};

interface Config {
  readonly device: Record<string, unknown>;
  readonly components: Record<string, object>;
}

function describe(model: WatchedModel, over: Partial<DevicePlace> = {}) {
  const [[configTopic, config], [stateTopic, state]] = [
    ...describeDevice(model, { ...place, ...over }, 7.5 * DAY_MS),
  ] as [[string, string], [string, string]];
  return {
    configTopic,
    config: JSON.parse(config) as Config,
    stateTopic,
    state: JSON.parse(state) as Record<string, unknown>,
  };
}

test("a model is a device whose entities read their state from one topic", () => {
  const { configTopic, config, stateTopic, state } = describe(heat);
  expect(stateTopic).toBe("torus/heat@pump/state");
  // Discovery takes letters, digits, _ and - alone.
  expect(configTopic).toBe("homeassistant/device/torus_heat_pump_state/config");
  expect(config).toMatchObject({
    device: { identifiers: ["torus_heat_pump_state"], name: "heat@pump", sw_version: "9.9.9" },
    origin: { name: "Torus" },
    availability: [{ topic: "torus/status" }],
    state_topic: stateTopic,
  });
  expect(config.components.problem).toEqual({
    platform: "binary_sensor",
    name: "Anomaly",
    device_class: "problem",
    unique_id: "torus_heat_pump_state_problem",
    value_template: "{{ value_json.problem }}",
  });
  expect(config.components.expected_0).toMatchObject({
    platform: "sensor",
    name: "power, expected",
    unit_of_measurement: "kW",
    state_class: "measurement",
  });
  expect(state).toEqual({
    problem: "ON",
    no_data: "OFF",
    score: 81.5123,
    days_until: 2.5,
    observed_0: 3.5,
    expected_0: 1.25,
  });
  expect(Object.keys(config.components).sort()).toEqual(Object.keys(state).sort());
});

test("a fleet counts its series with an anomaly, and has no values of its own", () => {
  const fleet = {
    ...heat,
    isFleet: true,
    live: { ...live, isAnomalous: false, anomalousSeries: 3, score: null },
  };
  const { config, state } = describe(fleet);
  expect(state).toEqual({ problem: "ON", no_data: "OFF", score: null, days_until: 2.5, anomalous_series: 3 });
  expect(Object.keys(config.components).sort()).toEqual(Object.keys(state).sort());
});

test("a model that is not live is unknown, a limit that is passed is near", () => {
  const { state } = describe({ name: heat.name, features: heat.features, isFleet: false });
  expect(new Set(Object.values(state))).toEqual(new Set([null]));
  expect(describe({ ...heat, limitAt: DAY_MS }).state.days_until).toBe(0);
});

test("the device links to the page of its model where the server knows its address", () => {
  const urlOf = (model: string) => `https://torus.example.org/ui/#/models/${model}`;
  expect(describe(heat, { urlOf }).config.device.configuration_url).toEndWith("/models/heat@pump");
  expect(describe(heat).config.device).not.toHaveProperty("configuration_url");
});
