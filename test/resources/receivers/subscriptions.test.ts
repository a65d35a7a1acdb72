// Subscriptions of buckets on a real mosquitto: failures of the storage, bugs, the cap on series, changes and removals.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { TorusError } from "../../../src/core/errors.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { Subscriptions } from "../../../src/resources/receivers/subscriptions.ts";
import type { Received } from "../../../src/resources/receivers/tally.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { type Mosquitto, mosquittoMissing, startMosquitto } from "../../support/mosquitto.ts";
import { isServerRequired } from "../../support/spawned.ts";
import { useWorld } from "../world.ts";

if (mosquittoMissing) console.warn(mosquittoMissing);

describe.skipIf(mosquittoMissing !== undefined && !isServerRequired)("subscriptions", () => {
  const world = useWorld();
  let mosquitto: Mosquitto;
  let subscriptions: Subscriptions;
  let stored: Point[];
  let errors: unknown[];
  let received: Received[];
  let refused: string[];
  /** Takes the place of the write to the bucket. */
  let write: NonNullable<Bucket["write"]>;

  const topics = [{ topic: "{host}/load" }];
  const put = (settings: object = {}) =>
    world.buckets.put({ name: "edge", type: "mqtt", addr: mosquitto.addr, topics, ...settings });

  beforeEach(async () => {
    mosquitto = await startMosquitto();
    [stored, errors, received, refused] = [[], [], [], []];
    write = async (points) => void stored.push(...points);
    subscriptions = new Subscriptions({
      store: world.store,
      clock: systemClock,
      openBucket: async () => ({ write: (...given: Parameters<typeof write>) => write(...given) }) as Bucket,
      maxSeries: () => 2,
      onReceived: (each) => received.push(each),
      onRefused: ({ reason }) => refused.push(reason),
      onError: (error) => errors.push(error),
    });
    await put();
    await subscriptions.start();
    await until(async () => {
      await mosquitto.publish("first/load", "0");
      return stored.length > 0;
    });
    [stored, received] = [[], []];
  });
  afterEach(async () => {
    await subscriptions.stop();
    await mosquitto.stop();
  });

  async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
    const endsAt = performance.now() + 15_000;
    while (!(await isDone())) {
      if (performance.now() > endsAt) throw new Error("it did not happen");
      await Bun.sleep(10);
    }
  }

  const values = () => stored.map(({ fields }) => fields.value).filter((value) => value !== 0);

  test("a message waits while the storage fails, and those behind it keep their order", async () => {
    const store = write;
    let failures = 2;
    write = async (...given) => {
      if (failures-- > 0) throw new TorusError("storage_full", "the disk is full");
      return store(...given);
    };
    await mosquitto.publish("a/load", "1");
    await mosquitto.publish("a/load", "2");
    await until(() => values().length === 2);
    expect(values()).toEqual([1, 2]);
    expect(errors).toEqual([
      expect.objectContaining({ code: "storage_full" }),
      expect.objectContaining({ code: "storage_full" }),
    ]);
  });

  test("a bug refuses its message alone", async () => {
    const store = write;
    write = async (points, ...given) => {
      if (points[0]!.fields.value === 1) throw new RangeError("a bug");
      return store(points, ...given);
    };
    await mosquitto.publish("a/load", "1");
    await mosquitto.publish("a/load", "2");
    await until(() => values().length === 1);
    expect(values()).toEqual([2]);
    expect(errors).toEqual([expect.any(RangeError)]);
    expect(refused).toEqual([expect.stringContaining("could not be stored")]);
  });

  test("the cap on series is handed on, and what is beyond it counted", async () => {
    write = async (_points, { maxSeries, onExcess }) => {
      expect(maxSeries).toBe(2);
      onExcess?.(1);
    };
    await mosquitto.publish("a/load", "1");
    await until(() => received.length > 0);
    expect(received[0]).toMatchObject({ protocol: "mqtt", stored: 0, refused: new Map([["series", 1]]) });
    expect(refused).toEqual([expect.stringContaining("server.limits.bucket_series")]);
  });

  test("a change of other settings keeps the subscription; changed topics take its place; a removal ends it", async () => {
    await put({ retention: "30d" });
    await mosquitto.publish("a/load", "1");
    await until(() => values().length === 1);
    await put({ topics: [{ topic: "{host}/temp" }] });
    await until(async () => {
      await mosquitto.publish("a/temp", "2");
      return values().length > 1;
    });
    await mosquitto.publish("a/load", "3");
    await world.buckets.remove(["edge"], { force: false });
    await subscriptions.stop();
    await mosquitto.publish("a/temp", "4");
    expect(values().filter((value) => value !== 2)).toEqual([1]);
  });
});
