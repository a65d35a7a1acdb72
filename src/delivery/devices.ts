// Devices of Home Assistant: each model as a retained message of discovery, and the state that its entities show; pure.
// Format: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
import { DAY_MS } from "../core/time/time.ts";

/** What the entities of a model show. */
export interface WatchedModel {
  readonly name: string;
  /** With their units in force. */
  readonly features: readonly { readonly name: string; readonly unit?: string | undefined }[];
  /** Whether it is a fleet, whose series have no device of their own. */
  readonly isFleet: boolean;
  /** Absent while it is not live. */
  readonly live?: {
    readonly isAnomalous: boolean;
    readonly isSilent: boolean;
    /** Series of a fleet with an anomaly in progress. */
    readonly anomalousSeries: number;
    /** Null before the first score. */
    readonly score: number | null;
    readonly values: Readonly<Record<string, number | null>>;
    readonly expected: Readonly<Record<string, number | null>>;
  };
  /** Earliest date at which a feature or series reaches a limit, ms since the epoch; absent: none is foreseen. */
  readonly limitAt?: number | undefined;
}

export interface DevicePlace {
  /** First level of the topics of discovery. */
  readonly prefix: string;
  /** Topic of the states, with `{model}`. */
  readonly stateTopic: string;
  /** Topic of the availability. */
  readonly statusTopic: string;
  readonly version: string;
  /** Page of a model; absent: no link is made. */
  readonly urlOf?: ((model: string) => string | undefined) | undefined;
}

/** Retained messages of a model, by topic. @param now ms since the epoch */
export function describeDevice(model: WatchedModel, place: DevicePlace, now: number): Map<string, string> {
  const stateTopic = place.stateTopic.replaceAll("{model}", model.name);
  const id = idOf(stateTopic);
  const url = place.urlOf?.(model.name);
  const config = {
    device: {
      identifiers: [id],
      name: model.name,
      manufacturer: "Torus",
      model: model.isFleet ? "fleet" : "model",
      sw_version: place.version,
      ...(url && { configuration_url: url }),
    },
    origin: { name: "Torus", sw_version: place.version },
    availability: [{ topic: place.statusTopic }],
    state_topic: stateTopic,
    qos: 1,
    components: Object.fromEntries(
      componentsOf(model).map(([key, component]) => {
        const value_template = `{{ value_json.${key} }}`;
        return [key, { ...component, unique_id: `${id}_${key}`, value_template }];
      }),
    ),
  };
  return new Map([
    [`${place.prefix}/device/${id}/config`, JSON.stringify(config)],
    [stateTopic, JSON.stringify(stateOf(model, now))],
  ]);
}

type Component = Readonly<Record<string, string>>;

/** Entities by key: that of the state, and part of their identifiers. */
function componentsOf({ features, isFleet }: WatchedModel): readonly (readonly [string, Component])[] {
  const sensor = (name: string, unit?: string): Component => ({
    platform: "sensor",
    name,
    state_class: "measurement",
    ...(unit && { unit_of_measurement: unit }),
  });
  const flag = (name: string): Component => ({
    platform: "binary_sensor",
    name,
    device_class: "problem",
  });
  return [
    ["problem", flag("Anomaly")],
    ["no_data", flag("No data")],
    ["score", sensor("Score")],
    ["days_until", sensor("Days until a limit is reached", "d")],
    ...(isFleet ? [["anomalous_series", sensor("Series with an anomaly")] as const] : []),
    ...(isFleet ? [] : features).flatMap(({ name, unit }, i) => [
      [`observed_${i}`, sensor(name, unit)] as const,
      [`expected_${i}`, sensor(`${name}, expected`, unit)] as const,
    ]),
  ];
}

/** JSON null is unknown to Home Assistant, as the value of a model that is not live. */
function stateOf({ features, live, limitAt, isFleet }: WatchedModel, now: number) {
  const flag = (isOn: boolean | undefined) => (isOn === undefined ? null : isOn ? "ON" : "OFF");
  const days = limitAt === undefined ? null : Math.max(0, (limitAt - now) / DAY_MS);
  const values = features.flatMap(({ name }, i) => [
    [`observed_${i}`, round(live?.values[name])],
    [`expected_${i}`, round(live?.expected[name])],
  ]);
  return {
    problem: flag(live && (live.isAnomalous || live.anomalousSeries > 0)),
    no_data: flag(live?.isSilent),
    score: round(live?.score),
    days_until: days === null ? null : Math.round(days * 10) / 10,
    ...(isFleet ? { anomalous_series: live?.anomalousSeries ?? null } : Object.fromEntries(values)),
  };
}

/** Six digits; null without a value. */
function round(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value.toPrecision(6));
}

/** Letters, digits, `_` and `-`, as discovery asks for. */
function idOf(topic: string): string {
  return topic.replace(/[^a-zA-Z0-9_-]/g, "_");
}
