// Devices of hooks with discovery on a real mosquitto: of all models, or of the model of the hook.
import { afterEach, expect, test } from "bun:test";
import type { CurrentSettings } from "../../src/app/delivery.ts";
import { createBrokers } from "../../src/app/devices.ts";
import type { ExternalUrl } from "../../src/resources/server/external-url.ts";
import { putHook } from "../../src/store/hooks.ts";
import { createModel } from "../../src/store/models.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { mosquittoMissing, startMosquitto } from "../support/mosquitto.ts";
import { isServerRequired } from "../support/spawned.ts";

if (mosquittoMissing) console.warn(mosquittoMissing);
const store = useStore();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test.skipIf(mosquittoMissing !== undefined && !isServerRequired)(
  "a global hook makes a device of each model, that of a model one of its own",
  async () => {
    const mosquitto = await startMosquitto();
    ends.push(() => mosquitto.stop());
    for (const name of ["load", "rain"]) {
      const features = [{ name: "f", metric: "avg", field: "v", unit: "kW" }];
      await createModel(store, { name, settings: aModel({ name, features }) }, 0);
    }
    const hook = (model: string | null, config: object) =>
      putHook(
        store,
        { model, name: "ha" },
        {
          at: 0,
          change: () => ({
            kind: "mqtt",
            ...(model === null && { receiver: "r" }),
            config: { addr: mosquitto.addr, ...config },
          }),
        },
      );
    await hook(null, { discovery_prefix: "all" });
    await hook("rain", { discovery_prefix: "own", state_topic: "own/{model}" });
    await hook("load", {});
    const value = { externalUrl: "https://torus.example.org", ui: true, hooks: { allowPrivate: true } };
    const brokers = createBrokers({ value } as unknown as CurrentSettings, {
      store,
      log: createLog({ level: "error", write: (line) => expect(line).toBe(""), now: () => 0 }),
      externalUrl: { valueBeside: (own: string | undefined) => own } as ExternalUrl,
    });
    ends.push(() => brokers.stop());
    const seen = await mosquitto.collect("#");
    const topics = () => seen.map(({ topic }) => topic).sort();
    brokers.start();
    while (topics().length < 7) await Bun.sleep(10);
    expect(topics()).toEqual([
      "all/device/torus_load_state/config",
      "all/device/torus_rain_state/config",
      "own/device/own_rain/config",
      "own/rain",
      "torus/load/state",
      "torus/rain/state",
      "torus/status",
    ]);
    const config = seen.find(({ topic }) => topic === "own/device/own_rain/config")!;
    expect(JSON.parse(config.payload.toString())).toMatchObject({
      device: { configuration_url: "https://torus.example.org/ui/#/models/rain" },
      components: { expected_0: { unit_of_measurement: "kW" } },
    });
  },
  30_000,
);
