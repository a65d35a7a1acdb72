// Judgements by link: shown without a change, done once, refused when used, expired or foreign.
import { beforeEach, describe, expect, test } from "bun:test";
import { signLink } from "../../../src/core/access/judgement-link.ts";
import { Listed } from "../../../src/core/input/listed.ts";
import { Anomalies } from "../../../src/resources/anomalies.ts";
import { Judgements } from "../../../src/resources/judgements/index.ts";
import { judgementUrls, loadLinkKey } from "../../../src/resources/judgements/links.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { findMeta } from "../../../src/store/db/meta.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { makeEnd, makeStart } from "../../hooks/events.ts";
import { useStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";

const store = useStore();
const DAY = 86_400_000;
let now = 10 * DAY;
const clock = { now: () => now };
let patched: unknown[] = [];
const models = {
  get: async () => new Listed([{ settings: { mute: [{ from: "01:00", to: "02:00" }] } }]),
  patch: async (names: readonly string[], body: unknown) => void patched.push([names, body]),
};
const judgements = () =>
  new Judgements({
    ...{ store, clock, key: "key", anomalies: new Anomalies({ store, clock }), models },
    timezone: () => "Europe/Berlin",
  } as never);
const linkTo = (action: "real" | "noise" | "mute", expiresAt = now + DAY) =>
  signLink("key", { action, anomaly: "e1", expiresAt });

beforeEach(async () => {
  now = 10 * DAY;
  patched = [];
  await createModel(store, { name: "m", settings: aModel({ name: "m" }) }, 1);
  const episode = {
    id: "e1",
    model: "m",
    startAt: DAY,
    peakScore: 90,
    features: {},
    peak: {},
    severity: null,
  };
  await write(store, (tx) => changeEpisodes(tx, [{ change: "open", episode } as never]));
});
const feedback = async () => (await new Anomalies({ store, clock }).get("e1")).feedback;

describe("a link", () => {
  test("is shown as often as mail scanners follow it, and changes nothing", async () => {
    for (let i = 0; i < 3; i++)
      expect(await judgements().show(linkTo("real"))).toEqual({
        action: "real",
        model: "m",
        series: "",
        since: "1970-01-02 01:00:00+01:00",
        summary: "anomaly of model m",
      });
    expect(await feedback()).toBeUndefined();
  });

  test.each([
    ["real", true],
    ["noise", false],
  ] as const)("that says %s judges once", async (action, anomaly) => {
    const link = linkTo(action);
    await judgements().apply(link);
    expect(await feedback()).toMatchObject({ anomaly, note: "by a link of a notification" });
    await expect(judgements().apply(link)).rejects.toThrow("used before");
    await expect(judgements().show(link)).rejects.toThrow("used before");
  });

  test("beside one that was used still works: a person may change their mind", async () => {
    await judgements().apply(linkTo("real"));
    await judgements().apply(linkTo("noise"));
    expect(await feedback()).toMatchObject({ anomaly: false });
  });

  test("that expired, or is foreign, is refused", async () => {
    await expect(judgements().show(linkTo("real", now - 1000))).rejects.toThrow("expired");
    await expect(judgements().apply("real.e1.zzz.AAAAAAAAAAAAAAAAAAAAAA")).rejects.toThrow(
      "not one of this server",
    );
  });

  test("whose action fails can be used again", async () => {
    const link = linkTo("mute");
    const failing = new Judgements({
      ...{ store, clock, key: "key", anomalies: new Anomalies({ store, clock }) },
      models: { ...models, patch: () => Promise.reject(new Error("full")) },
    } as never);
    await expect(failing.apply(link)).rejects.toThrow("full");
    await judgements().apply(link);
    expect(patched).toHaveLength(1);
  });

  test("used is forgotten after it has expired", async () => {
    const link = linkTo("real");
    await judgements().apply(link);
    now += 2 * DAY;
    await judgements().apply(linkTo("noise"));
    expect(await findMeta(store, `used_link:${link}`)).toBeUndefined();
  });
});

describe("links of events", () => {
  const options = { key: "key", externalUrl: "https://torus.example.org", clock };
  test("are made of the start of an anomaly, where the server has an address", () => {
    const urls = judgementUrls(makeStart(), options);
    expect(urls?.noise).toStartWith("https://torus.example.org/judge/noise.");
    expect(judgementUrls(makeStart(), { ...options, externalUrl: undefined })).toBeUndefined();
    expect(judgementUrls(makeEnd(), options)).toBeUndefined();
    expect(judgementUrls(makeStart({ test: true }), options)).toBeUndefined();
  });

  test("are signed by one key per server", async () => {
    const key = await loadLinkKey(store);
    expect(await loadLinkKey(store)).toBe(key);
    expect(key).toMatch(/^[\w-]{43}$/);
  });
});
