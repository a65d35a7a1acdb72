// Commands of a model with group_by: its series, one of them, predictions of one or all, labels and anomalies.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { useSession } from "../session.ts";

const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);
const session = useSession();
const { torus, ok, json, makeFile } = session;
const DAYS = 20;

beforeAll(async () => {
  const rows = ["a", "b/1"].flatMap((host) =>
    Array.from({ length: 24 * DAYS }, (_, i) => {
      const load = 10 + 5 * Math.sin((2 * Math.PI * i) / 24);
      return `load,host=${host} load=${load} ${i * 3600}000000000`;
    }),
  );
  await ok(`create-bucket ${makeFile("bucket.yml", "name: w\ntype: local\n")}`);
  await fetch(`${session.url}/write?db=w`, { method: "POST", body: rows.join("\n") });
  const settings = "name: cpu\ntype: donut\ndefault_bucket: w\nbucket_interval: 1h\ngroup_by: [host]\n";
  const features = "features: [{name: load, metric: avg, field: load}]\n";
  await ok(`create-model ${makeFile("cpu.yml", `${settings}${features}`)}`);
  await ok("train-model cpu --from 0 --to 1728000 -m 1 -e 3");
}, TEST_MS);

test("list-series and show-series", async () => {
  const listed = await ok("list-series cpu");
  expect(listed).toMatch(/^SERIES +STATE +SCORE +FITTED/);
  expect(listed).toMatch(/host=a +stopped +- +480/);
  expect(await ok("list-series cpu -q")).toBe("host:a\nhost:b/1\n");
  expect(await json("list-series cpu --q B/ --sort tags:-1")).toMatchObject([{ tags: { host: "b/1" } }]);
  expect((await torus("list-series cpu --per-page 1 --page 1")).err).toContain("1 of 2 series");
  expect(await ok("show-series cpu host=b/1")).toContain("state: stopped");
  expect((await torus("show-series cpu host=x")).err).toContain("has no series host=x");
  expect((await torus("show-series cpu host")).err).toContain("SERIES: must be tags and values");
});

test("eval-model and forecast-model of one series, or of a page with a column per tag", async () => {
  const one = await ok("eval-model cpu -f 1555200 -t 1562400 -a --series host=a");
  expect(one).toMatch(/^TIME .*LOAD +EXPECTED +LOWER +UPPER +SCORE/);
  const all = await ok("eval-model cpu -f 1555200 -t 1562400 -a");
  expect(all).toMatch(/^HOST +TIME .*LOAD +EXPECTED +LOWER +UPPER +SCORE/);
  expect(all.match(/^b\/1 /gm)).toHaveLength(2);
  const { err } = await torus("forecast-model cpu -f 1728000 -t 1735200 --per-page 1 -c load:high:1");
  expect(err).toContain("host=a: load exceeds 1: 1970-01-21");
  expect(err).toContain("1 of 2 series");
  const empty = await torus("eval-model cpu -f 9000000 -t 9007200 --series host=a");
  expect([empty.code, empty.err.includes("no data")]).toEqual([1, true]);
  expect((await torus("eval-model cpu -f 9000000 -t 9007200")).err).toMatch(
    /host=a: no data[\s\S]*host=b\/1: no data/,
  );
});

test("plot and backtest are of one series", async () => {
  expect((await torus("plot cpu --from 1555200 --to 1562400")).err).toContain("--series: is required");
  expect((await torus("plot cpu --from 1555200 --to 1562400 --series host=a")).code).toBe(0);
  expect((await torus("backtest cpu --from 0 --to 1728000 -e 1 -m 1")).err).toContain("series: is required");
  expect(await json("backtest cpu --from 0 --to 1728000 -e 1 -m 1 --series host=a")).toMatchObject({
    thresholds: {},
  });
});

test("add-label, list-labels and list-anomalies of a series", async () => {
  await ok("add-label cpu --from 0 --to 7200 --anomaly --series host=a");
  await ok("add-label cpu --from 7200 --to 9000 --normal");
  expect(await ok("list-labels cpu")).toMatch(/SERIES +NOTE\n.*anomaly +- +host=a/);
  expect(await json("list-labels cpu --series host=b/1")).toMatchObject([{ anomaly: false }]);
  await ok("eval-model cpu -f 0 -t 1728000 -a --record --series host=a");
  expect(await json("list-anomalies cpu --series host=b/1")).toEqual([]);
  expect((await torus("list-anomalies --series host")).err).toContain("as in host=a,cpu=0");
  expect(await json("list-anomalies --scope fleet")).toEqual([]);
});

test("top shows one series of the models that have it", async () => {
  expect(await json("top --once --series host=a")).toMatchObject([{ model: "cpu host=a", state: "stopped" }]);
  expect(await json("top --once --series host=x")).toEqual([]);
  expect(await json("top --once --series rack=1")).toEqual([]);
  expect((await torus("top --once --series host")).err).toContain("--series: must be tags and values");
});
