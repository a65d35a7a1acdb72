// Commands of live detection: start, stop, anomalies, feedback, hooks.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { trainWeb } from "../load-series.ts";
import { useSession } from "../session.ts";

const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);
const session = useSession();
const { torus, ok, json } = session;
beforeAll(() => trainWeb(session), TEST_MS);

test("health", async () => {
  expect(await torus("health")).toMatchObject({ code: 0, out: "ready\n" });
  expect(await json("health")).toMatchObject({ ready: true });
});

test("start-model, stop-model, list-anomalies", async () => {
  await ok("start-model web --anomalies");
  expect(await ok("list-models")).toMatch(/trained, live/);
  await ok("stop-model web");
  expect((await torus("start-model web")).err).toBe(
    "started without detection web\nno anomaly will be recorded: --anomalies turns detection on\n",
  );
  await ok("stop-model web");
  expect((await torus("stop-model web")).code).toBe(3);
  const anomalies = await torus("list-anomalies web --from now-1d");
  expect([anomalies.out, anomalies.err]).toEqual(["", "no anomalies\n"]);
  expect(await json("list-anomalies")).toEqual([]);
  expect(await json("list-anomalies --state open --min-score 90 --limit 1000")).toEqual([]);
  expect((await torus("list-anomalies --state over")).err).toContain("must be one of open, closed");
});

test("list-anomalies shows how rare the peak was, its values, and how far off", async () => {
  const f = { type: "high", score: 100, observed: 93.4, predicted: 10, lower: 8, upper: 12 } as const;
  const peak = { f: { ...f, unit: "%", factor: 41.7, rarity: 7.24 } };
  const found = {
    id: "e",
    origin: "live",
    model: "rare",
    start: 0,
    end: null,
    peak_score: 100,
    peak_rarity: 7.24,
    severity: "critical",
  };
  const stub = Bun.serve({ port: 0, fetch: () => Response.json([{ ...found, features: { f }, peak }]) });
  const shown = await ok("list-anomalies", { env: { TORUS_ADDR: `http://localhost:${stub.port}` } });
  await stub.stop(true);
  expect(shown).toMatch(
    /SEVERITY +ONE IN.*\n.*100\.0 +critical +10\^7\.2 +f too high: 93\.4 %, not 10 % \(41\.7 x\)/,
  );
});

test("capacity shows dates, rates and trust; what is not predictable has no date", async () => {
  expect((await torus("capacity")).err).toContain(
    "nothing is known to run full; what is live is judged after",
  );
  expect((await torus("capacity --within soon")).err).toContain("within: must be a duration");
  const one = {
    ...{ model: "disk", series: { host: "a" }, feature: "used", unit: "GB", now: 447.17, per_day: 12.04 },
    ...{ limit: { value: 512, type: "high", source: "limit" }, predictable: true, date: 86_400 },
    backtest: { right: 9, of: 10 },
  };
  const other = { ...one, predictable: false, date: undefined };
  const bytes = { ...one, unit: "B", now: 202e9, per_day: -21.4e9, limit: { ...one.limit, value: 2e12 } };
  const asked: string[] = [];
  const fetch = ({ url }: Request) => {
    asked.push(new URL(url).search);
    return Response.json([one, other, bytes]);
  };
  const stub = Bun.serve({ port: 0, fetch });
  const env = { TORUS_ADDR: `http://localhost:${stub.port}` };
  const shown = await ok("capacity disk --within 30d --tags host=a", { env });
  await stub.stop(true);
  expect(asked).toEqual(["?model=disk&within=30d&tags=host%3Aa"]);
  expect(shown).toMatch(/^WHEN \(UTC\) +MODEL +SERIES +FEATURE +NOW +LIMIT +PER DAY +TRUST/);
  expect(shown).toMatch(
    /\n1970-01-02 00:00:00 +disk +host=a +used +447 GB +512 GB +12 GB +9 of 10\nnot predictable +disk/,
  );
  expect(shown).toMatch(/ +202 GB +2 TB +-21\.4 GB +9 of 10/);
});

test("related scans a bucket in intervals of its points", async () => {
  expect((await torus("related --scan --bucket m --bucket-interval soon")).err).toContain(
    "--bucket-interval: ",
  );
  const asked: string[] = [];
  const fetch = ({ url }: Request) => {
    asked.push(new URL(url).search);
    return Response.json({ summary: "Nothing moved unusually.", related: [] });
  };
  const stub = Bun.serve({ port: 0, fetch });
  const env = { TORUS_ADDR: `http://localhost:${stub.port}` };
  const { err } = await torus("related --scan --bucket m --bucket-interval 5m --from now-2h", { env });
  await stub.stop(true);
  expect(asked).toEqual(["?from=now-2h&scan=true&bucket=m&bucket_interval=5m&limit=10"]);
  expect(err).toContain("nothing is related");
});

test("budget shows what is left, burn rates and when nothing is", async () => {
  expect((await torus("budget")).err).toBe("no error budgets of live models\n");
  const rates = { "1h": 14.52, "6h": null, "1d": 1, "3d": 1 };
  const one = {
    ...{ model: "web", feature: "burn", objective: 0.999, remaining: 0.1234, rates, burn: "fast" },
    exhaustion: { outlook: "expected", date: 86_400, latest: null },
  };
  const unknown = { remaining: null, rates: { "1h": null }, burn: null };
  const other = { ...one, ...unknown, exhaustion: { outlook: "not_enough_data" } };
  const stub = Bun.serve({ port: 0, fetch: () => Response.json([one, other]) });
  const env = { TORUS_ADDR: `http://localhost:${stub.port}` };
  const shown = await ok("budget web", { env });
  await stub.stop(true);
  expect(shown).toMatch(
    /^ +LEFT +MODEL +FEATURE +OBJECTIVE +BURN +ALERT +EXHAUSTION +WHEN \(UTC\)\n +12.3 % +web +burn +99.9 % +15 +fast +expected +1970-01-02 00:00:00/,
  );
  expect(shown).toMatch(/\n *unknown +web +burn +99.9 % +not enough data +-/);
});

test("feedback requires exactly one answer, and an existing anomaly", async () => {
  for (const flags of ["", "--true --false"]) {
    const { code, err } = await torus(`feedback web some-id ${flags}`);
    expect([code, err.includes("give one of them")]).toEqual([2, true]);
  }
  const { code, err } = await torus("feedback web some-id --false --note batch");
  expect([code, err.includes("model web has no anomaly some-id")]).toEqual([3, true]);
});

test("hooks: create, list, show, test, delete", async () => {
  const hook = '{"name": "marks", "type": "annotations", "config": {"type": "anomaly", "bucket": "metrics"}}';
  await ok("create-hook web -", { input: hook });
  expect((await torus("create-hook web -", { input: hook })).err).toContain("--force replaces it");
  await ok("create-hook web - --force", { input: hook });
  expect(await ok("list-hooks web")).toMatch(/^marks +annotations$/m);
  const output = await ok("test-hook web marks");
  expect(output).toMatch(/anomaly_start +sent/);
  expect(output).toMatch(/anomaly_end +sent/);
  expect(await ok("show-hook web marks")).toContain("deliveries:");
  await ok("delete-hook web marks");
  expect(await json("list-hooks web")).toEqual([]);
});

test("hooks --global: create, list, show, test, delete", async () => {
  const hook = {
    name: "all.marks",
    type: "annotations",
    config: { type: "torus", bucket: "w" },
    selector: { models: ["web*"], tags: { host: "web" } },
  };
  const input = JSON.stringify(hook);
  expect((await torus("list-hooks")).err).toContain("create-hook --global FILE");
  await ok("create-hook --global -", { input });
  expect((await torus("create-hook --global -", { input })).err).toContain("--force replaces it");
  await ok("create-hook --global - --force", { input });
  expect(await ok("list-hooks --global")).toMatch(/^all\.marks +annotations +web\*, host=web$/m);
  expect(await ok("list-hooks -q")).toBe("all.marks\n");
  expect(await json("list-hooks web")).toEqual([]);
  expect(await ok("show-hook --global all.marks")).toContain("selector:");
  expect((await torus("test-hook --global all.marks")).out).toContain("anomaly_start");
  expect((await torus("test-hook --global web all.marks")).err).toContain("is not allowed with --global");
  expect((await torus("show-hook web")).err).toContain("HOOK: is missing");
  expect((await torus("create-hook --global")).err).toContain("FILE: is missing");
  expect((await torus("delete-hook")).err).toContain("MODEL: is missing");
  await ok("delete-hook --global all.marks");
  expect(await json("list-hooks")).toEqual([]);
});

test("mute-hook, unmute-hook: until an instant, beside the windows that come again, secrets kept", async () => {
  const nights = { from: "22:00", to: "06:00" };
  const hook = {
    name: "chat",
    type: "slack",
    config: { url: "https://hooks.example.org/x" },
    mute: [nights],
  };
  await ok("create-hook web -", { input: JSON.stringify(hook) });
  const mutedFor = async () => {
    const [{ mute }] = (await json("show-hook web chat")) as [{ mute: readonly { until?: string }[] }];
    const [, once, ...more] = mute;
    expect([mute[0], more]).toEqual([nights as object, []]);
    return once && Math.round((Date.parse(once.until!) - Date.now()) / 3_600_000);
  };
  expect((await torus("mute-hook web chat")).err).toMatch(/^muted chat until \d{4}-\d\d-\d\d \d\d:\d\d/);
  expect(await mutedFor()).toBe(2);
  await ok("mute-hook web chat --for 3d");
  expect(await mutedFor()).toBe(72);
  expect(await torus("mute-hook web chat --for 0")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^torus: --for: .*longer than 0/),
  });
  expect((await torus("unmute-hook web chat")).err).toBe("unmuted chat\n");
  expect(await mutedFor()).toBeUndefined();
  await ok("unmute-hook web chat");
  await ok("delete-hook web chat");
});

test("mute-hook refuses what is no time, and hooks that are not there; global hooks are muted, too", async () => {
  expect((await torus("mute-hook web chat --for soon")).err).toContain("for: must be a duration");
  expect(await torus("mute-hook web gone")).toMatchObject({ code: 3 });
  expect((await torus("unmute-hook web")).err).toContain("HOOK: is missing");
  const config = { type: "torus", bucket: "w" };
  await ok("create-hook --global -", {
    input: JSON.stringify({ name: "all", type: "annotations", config, selector: { models: ["web*"] } }),
  });
  await ok("mute-hook --global all");
  expect(await json("show-hook --global all")).toMatchObject([
    { selector: { models: ["web*"] }, mute: [{ until: expect.any(String) }] },
  ]);
  await ok("delete-hook --global all");
});

test("test-hook exits with 1 if the delivery fails", async () => {
  const hook = { name: "gone", type: "alertmanager", config: { url: "http://127.0.0.1:1/" } };
  await ok("create-hook web -", { input: JSON.stringify(hook) });
  const { code, out } = await torus("test-hook web gone");
  expect(code).toBe(1);
  expect(out).toMatch(/anomaly_start +(waiting|rejected)/);
  await ok("delete-hook web gone");
});
