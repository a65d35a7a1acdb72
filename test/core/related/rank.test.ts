// Ranking of probable causes: who moved first, what chance explains, what moved everything.
import { describe, expect, test } from "bun:test";
import type { Mover } from "../../../src/core/related/chance.ts";
import { rankMovers } from "../../../src/core/related/rank.ts";
import { shareTags, TagCounts } from "../../../src/core/related/tags.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const windowMs = 90 * MINUTE;

const mover = (service: string, onset: number, own: Partial<Mover> & { noisy?: number } = {}): Mover => {
  const { noisy = 0, ...rest } = own;
  return {
    ...{ tags: { service }, onsetAt: onset * MINUTE, intervalMs: MINUTE, peak: 8 },
    past: { peaks: Array(noisy).fill(8), spanMs: 30 * DAY },
    ...rest,
  };
};
const populationOf = (services: number, perService = 3) => {
  const counts = new TagCounts();
  for (let i = 0; i < services * perService; i++) counts.add({ service: `s${i % services}` });
  return counts;
};
const population = populationOf(40);
const services = (target: Mover | undefined, movers: readonly Mover[]) =>
  rankMovers({ target, movers, population, windowMs }).ranked.map(({ mover: { tags } }) => tags.service);

describe("related are", () => {
  test("those that moved first, before those that followed", () => {
    const movers = [mover("s3", 62), mover("s1", 55), mover("s1", 56), mover("s2", 58)];
    expect(services(mover("s0", 60), movers).slice(0, 2)).toEqual(["s1", "s1"]);
  });

  test("none where only noise moved", () => {
    const noise = Array.from({ length: 20 }, (_, i) => mover(`s${i}`, 20 + 5 * i, { peak: 2.8, noisy: 150 }));
    expect(services(mover("s30", 60), noise)).toEqual([]);
  });

  test("none where a strong but unrelated one moved half an hour earlier", () => {
    expect(services(mover("s0", 60), [mover("s9", 30)])).toEqual([]);
  });

  test("one of the same service, also where it moved a quarter of an hour earlier", () => {
    expect(services(mover("s0", 60), [mover("s0", 45)])).toEqual(["s0"]);
  });

  test("those found through another that is related", () => {
    const found = services(mover("s0", 60), [
      mover("s0", 52),
      mover("s7", 50),
      mover("s7", 51),
      mover("s7", 50),
    ]);
    expect(found).toHaveLength(4);
    expect(found[0]).toBe("s7");
  });

  test("those of a server that has scored for minutes only: the rarity says how rare it is", () => {
    const young = { past: { peaks: [], spanMs: 5 * MINUTE } };
    const small = populationOf(6, 2);
    const movers = [mover("s1", 60, young), mover("s2", 62, young)];
    const { ranked } = rankMovers({ target: mover("s0", 60, young), movers, population: small, windowMs });
    expect(ranked).toHaveLength(2);
  });

  test("none of many features, of which one is as rare by chance", () => {
    const young = { past: { peaks: [], spanMs: 5 * MINUTE }, peak: 4 };
    const small = populationOf(6, 2);
    const find = (features: number) =>
      rankMovers({
        target: mover("s0", 60, { ...young, peak: 8 }),
        movers: [mover("s1", 63, { ...young, features })],
        ...{ population: small, windowMs },
      }).ranked.length;
    expect([find(1), find(20)]).toEqual([1, 0]);
  });

  test("not one that deviates as much every hour", () => {
    expect(services(mover("s0", 60), [mover("s5", 60, { noisy: 720 })])).toEqual([]);
  });

  test("in a range those of the largest group", () => {
    const group = [mover("s1", 20), mover("s1", 21), mover("s2", 22), mover("s3", 23)];
    expect(services(undefined, [...group, mover("s20", 80)]).sort()).toEqual(["s1", "s1", "s2", "s3"]);
  });
});

describe("confidence", () => {
  test("is shared with the anomaly itself, which may have been first", () => {
    const { ownConfidence, ranked } = rankMovers({
      target: mover("s0", 50),
      movers: [mover("s1", 53), mover("s2", 54), mover("s2", 54)],
      ...{ population, windowMs },
    });
    expect(ownConfidence).toBeGreaterThan(0.5);
    const sum = ranked.reduce((total, { confidence }) => total + confidence, ownConfidence!);
    expect(sum).toBeLessThanOrEqual(1);
  });

  test("is less for what has always moved with it at once", () => {
    const together = { times: 9, of: 10 };
    const [first] = services(mover("s0", 60), [mover("s1", 60, { together }), mover("s2", 60)]);
    expect(first).toBe("s2");
  });
});

test("a movement of most series is common, and only what came before or is far stronger is related", () => {
  const small = populationOf(4, 2);
  const all = Array.from({ length: 6 }, (_, i) => mover(`s${i % 4}`, 60, { peak: 4 }));
  const { common, ranked } = rankMovers({
    target: mover("s0", 60, { peak: 4 }),
    movers: [...all, mover("s3", 50)],
    ...{ population: small, windowMs },
  });
  expect(common).toEqual({ share: 7 / 8, at: 60 * MINUTE });
  expect(ranked.map(({ mover: { onsetAt } }) => onsetAt / MINUTE)).toEqual([50]);
});

test("tags are shared if equal, or named by another tag; each is counted by tag and by value", () => {
  const counts = new TagCounts();
  counts.add({ service: "web", env: "prod", empty: "" });
  counts.add({ client: "web", service: "db", env: "prod", empty: "" });
  counts.add({ service: "mail", env: "prod" });
  const shared = shareTags(
    { client: "web", env: "prod", empty: "" },
    { service: "web", env: "prod", empty: "" },
  );
  expect(shared).toEqual({ equal: { env: "prod" }, adjacent: { client: "web" } });
  expect(shareTags({ a: "x" }, { b: "y" })).toEqual({ equal: {}, adjacent: {} });
  expect([counts.total, counts.countTag("env", "prod"), counts.countTag("service", "web")]).toEqual([
    3, 3, 1,
  ]);
  expect([counts.countValue("web"), counts.countValue("none"), counts.countValue("")]).toEqual([2, 0, 0]);
});
