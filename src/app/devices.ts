// Composition of the brokers of hooks: their connections, and the devices that hooks with discovery keep there.
import pack from "../../package.json" with { type: "json" };
import { fleetRulesOf } from "../core/model/fleet.ts";
import { Brokers, type FollowedBroker } from "../delivery/brokers.ts";
import { type DevicePlace, describeDevice, type WatchedModel } from "../delivery/devices.ts";
import { pageUrl } from "../hooks/index.ts";
import { brokerOf, DEFAULT_STATE, type MqttConfig, mqtt } from "../hooks/mqtt.ts";
import { storedSettings } from "../live/stored-settings.ts";
import { MAX_AGE_MS } from "../resources/capacity.ts";
import type { ExternalUrl } from "../resources/server/external-url.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { listAllHooks } from "../store/hooks.ts";
import { type LiveValues, readLiveValues } from "../store/live-values.ts";
import { listModels, type ModelRow } from "../store/models.ts";
import { readFirstDates } from "../store/outlooks.ts";
import type { Log } from "../telemetry/log.ts";
import type { CurrentSettings } from "./delivery.ts";

/** Models that become devices, the first ones by name. */
const MAX_DEVICES = 1000;

interface BrokersDeps {
  readonly store: Store;
  readonly log: Log;
  readonly externalUrl: ExternalUrl;
}

/** Connections to the brokers of hooks. */
export function createBrokers(current: CurrentSettings, { store, log, externalUrl }: BrokersDeps): Brokers {
  const urlOf = (model: string) => {
    const { externalUrl: configured, ui: hasDashboard } = current.value;
    const context = { externalUrl: externalUrl.valueBeside(configured), hasDashboard };
    return pageUrl(`/models/${encodeURIComponent(model)}`, context);
  };
  return new Brokers({
    clock: systemClock,
    publicOnly: () => !current.value.hooks.allowPrivate,
    list: () => listBrokers(store, urlOf),
    onError: (error) => log.error("brokers of hooks not followed", { error }),
  });
}

/** The brokers of all hooks, with the devices of those with discovery. */
async function listBrokers(store: Store, urlOf: DevicePlace["urlOf"]): Promise<readonly FollowedBroker[]> {
  const hooks = (await listAllHooks(store, mqtt.kind)).map((row) => ({
    row,
    config: row.config as MqttConfig,
  }));
  const isWatched = hooks.some(({ config }) => config.discovery_prefix !== undefined);
  const watched = isWatched ? await readWatched(store) : [];
  return hooks.map(({ row, config }) => ({
    broker: brokerOf(config),
    kept: describeDevices(
      watched.filter(({ name }) => row.model === null || row.model === name),
      config,
      urlOf,
    ),
  }));
}

function describeDevices(
  models: readonly WatchedModel[],
  config: MqttConfig,
  urlOf: DevicePlace["urlOf"],
): ReadonlyMap<string, string> {
  const { discovery_prefix: prefix, state_topic: stateTopic = DEFAULT_STATE } = config;
  if (prefix === undefined) return new Map();
  const { statusTopic } = brokerOf(config);
  const place = { prefix, stateTopic, statusTopic, version: pack.version, urlOf };
  const now = systemClock.now();
  return new Map(models.flatMap((model) => [...describeDevice(model, place, now)]));
}

async function readWatched(store: Store): Promise<readonly WatchedModel[]> {
  const rows = await listModels(store, { offset: 0, limit: MAX_DEVICES, descending: false });
  const live = new Map<string, LiveValues>();
  for await (const page of readLiveValues(store)) for (const values of page) live.set(values.model, values);
  const dates = await readFirstDates(store, systemClock.now() - MAX_AGE_MS);
  return rows.map((row) => toWatched(row, live.get(row.name), dates.get(row.name)));
}

function toWatched(row: ModelRow, live: LiveValues | undefined, limitAt: number | undefined): WatchedModel {
  const { settings } = storedSettings(row);
  return {
    name: row.name,
    features: settings.features,
    isFleet: fleetRulesOf(settings) !== undefined,
    ...(live && {
      live: {
        isAnomalous: live.isAnomalous,
        isSilent: live.isSilent,
        anomalousSeries: live.anomalousSeries,
        score: live.last?.score ?? null,
        values: live.last?.values ?? {},
        expected: live.last?.expected ?? {},
      },
    }),
    limitAt,
  };
}
