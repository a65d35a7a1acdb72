// Command watch against real data sources: discovery, models, starts, further runs.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { encodeWrite, toSeries } from "../../../../src/buckets/prometheus/remote-write.ts";
import { influxdMissing, startInfluxd } from "../../../support/influxd.ts";
import { prometheusMissing, startPrometheus } from "../../../support/prometheus.ts";
import { useSession } from "../../session.ts";

setDefaultTimeout(180_000);
const MINUTE = 60;
const HOUR = 3600;

const session = useSession();
const torus = (line: string, input = "") => session.torus(line, { input });

/** Full minutes of the last hours, seconds. */
function minutesOf(hours: number): number[] {
  const end = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
  return Array.from({ length: hours * 60 }, (_, i) => end - hours * HOUR + i * MINUTE);
}

const wave = (at: number) => 30 + 10 * Math.sin((2 * Math.PI * at) / (6 * HOUR)) + ((at / MINUTE) % 7);

/** What Telegraf writes of a host. */
function renderTelegraf(host: string, times: readonly number[]): string {
  return times
    .flatMap((at) => [
      `cpu,cpu=cpu-total,host=${host} usage_user=${wave(at)},usage_idle=${100 - wave(at)} ${at}000000000`,
      `disk,host=${host},path=/ used_percent=${50 + wave(at) / 10} ${at}000000000`,
      `disk,host=${host},path=/run/lock used_percent=1 ${at}000000000`,
    ])
    .join("\n");
}

const used = { name: "cpu_user", metric: "avg", measurement: "cpu", field: "usage_user" };
/** Settings of a model of one host, as earlier versions made it. */
const ofHost = (host: string) => ({
  type: "donut",
  default_bucket: "hosts",
  bucket_interval: "1m",
  features: [{ ...used, match_all: [{ tag: "host", value: host }] }],
});

/** A preset of a user: a model that a bucket has, one that it lacks, and one with a query. */
function renderPreset(source: { readonly field: string; readonly measurement?: string }): string {
  const models = [
    { name: "read", ...source, metric: "avg", bucket_interval: "5m" },
    { name: "missing", ...source, field: "none", metric: "avg" },
    { name: "asked", ...source, query: `sum(${source.field})` },
  ];
  const host_tag = source.measurement ? "host" : "instance";
  return JSON.stringify({ name: "mine", title: "Mine", host_tag, bucket_type: "prometheus", models });
}

interface Listed {
  readonly live?: object;
  readonly settings: { readonly name: string };
}

/** Names of the live models. */
async function live(): Promise<string[]> {
  const models = await session.json<Listed[]>("list-models");
  return models.flatMap(({ live, settings }) => (live ? [settings.name] : [])).sort();
}

async function removeAll(): Promise<void> {
  for (const { settings } of await session.json<Listed[]>("list-models"))
    await session.ok(`delete-model ${settings.name}`);
}

describe("telegraf in a local bucket", () => {
  beforeAll(async () => {
    expect((await torus("create-bucket -", '{"name": "hosts", "type": "local"}')).code).toBe(0);
    const lines = `${renderTelegraf("db.example.org", minutesOf(8))}\n${renderTelegraf("new", minutesOf(1).slice(-5))}`;
    const response = await fetch(`${session.url}/write?db=hosts`, { method: "POST", body: lines });
    expect(response.status).toBe(204);
  });

  test("--dry-run prints models and makes none", async () => {
    const { code, out } = await torus("watch hosts --preset telegraf --dry-run --prefix t_");
    expect(code).toBe(0);
    expect(out.match(/^name: .*$/gm)).toEqual([
      "name: t_hosts_cpu_user",
      "name: t_hosts_cpu_idle",
      "name: t_hosts_disk_used_root",
    ]);
    expect(out).toContain("detector: auto\ngroup_by:\n  - host\n");
    expect((await torus("list-models -q")).out).toBe("");
    const one = await torus("watch hosts --preset telegraf --dry-run --hosts 'db*' --limit 2 --json");
    expect(JSON.parse(one.out)).toHaveLength(2);
    expect(one.err).toContain("3 models are possible, creating the first 2");
  });

  test("one model per metric is live at once; a further run starts those that are not", async () => {
    const hook = session.makeFile(
      "hook.yml",
      "name: marks\ntype: annotations\nconfig: {bucket: hosts, type: torus}\n",
    );
    const { code, out, err } = await torus(`watch hosts --preset telegraf --hook ${hook}`);
    expect(out).toMatch(/^MODEL +STATE$/m);
    expect(out).toMatch(/^hosts_cpu_user +created and started$/m);
    expect(err).toEndWith("3 watched: 3 new, 0 started now, 0 live already; 0 not watched\n");
    expect(code).toBe(0);
    expect(await live()).toEqual(["hosts_cpu_idle", "hosts_cpu_user", "hosts_disk_used_root"]);
    expect(JSON.parse((await torus("list-hooks hosts_cpu_user --json")).out)).toMatchObject([
      { name: "marks" },
    ]);
    await session.ok("stop-model hosts_cpu_user");
    const again = await torus("watch hosts --preset telegraf");
    expect(again.out).toMatch(/^hosts_cpu_user +made earlier, started now$/m);
    expect(again.err).toEndWith("3 watched: 0 new, 1 started now, 2 live already; 0 not watched\n");
    expect(await live()).toHaveLength(3);
    await removeAll();
  });

  test("models of single hosts stay, and start where they were never trained", async () => {
    const made = (name: string, extra: object) =>
      session.ok("create-model -", { input: JSON.stringify({ ...ofHost("new"), name, ...extra }) });
    await made("new_cpu_user", {});
    await made("hosts_cpu_idle", { default_bucket: "hosts", features: [{ ...used, field: "other" }] });
    const { code, out, err } = await torus("watch hosts --preset telegraf");
    expect(out).toMatch(/^new_cpu_user +made earlier, started now$/m);
    expect(out).toMatch(/^db_example_org_cpu_user +created and started$/m);
    expect(out).toMatch(/^hosts_cpu_idle +name is taken +another model has it: use --prefix TEXT$/m);
    expect(err).toContain("models of single hosts, from an earlier run, stay as they are");
    expect(code).toBe(0);
    expect(await live()).toEqual(["db_example_org_cpu_user", "hosts_disk_used_root", "new_cpu_user"]);
    await removeAll();
  });

  test("it fails where nothing is watched in the end", async () => {
    const input = JSON.stringify({
      ...ofHost("x"),
      name: "hosts_cpu_user",
      features: [{ ...used, field: "other" }],
    });
    await session.ok("create-model -", { input });
    const { code, err } = await torus("watch hosts --preset telegraf --limit 1");
    expect(err).toEndWith("0 watched: 0 new, 0 started now, 0 live already; 1 not watched\n");
    expect(code).toBe(1);
    await removeAll();
  });

  test("what the bucket does not hold, or cannot be asked, is left out by name", async () => {
    const preset = session.makeFile("mine.yml", renderPreset({ field: "usage_user", measurement: "cpu" }));
    const { code, out, err } = await torus(`watch hosts --preset ${preset} --dry-run`);
    expect(err).toBe("left out: missing: no cpu.none; asked: its query is for a bucket of type prometheus\n");
    expect(out.match(/^name: .*$/gm)).toEqual(["name: hosts_read"]);
    expect(out).toContain("bucket_interval: 5m\n");
    expect(code).toBe(0);
    expect((await torus(`watch hosts --preset ${preset} --dry-run -i 2m`)).out).toContain(
      "bucket_interval: 2m",
    );
  });

  test("a bucket without any of it is refused", async () => {
    const none = await torus("watch hosts --preset node_exporter");
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringMatching(/^torus: hosts: has no series of node_exporter/),
    ]);
    const hosts = await torus("watch hosts --preset telegraf --hosts web");
    expect([hosts.code, hosts.err]).toEqual([2, expect.stringContaining("with host web")]);
    expect((await torus("watch none --preset telegraf")).err).toBe("torus: bucket none does not exist\n");
  });
});

describe.skipIf(influxdMissing !== undefined)(`telegraf in InfluxDB ${influxdMissing ?? ""}`, () => {
  test("its hosts are found", async () => {
    const influxd = await startInfluxd();
    try {
      await influxd.query("create database telegraf");
      await influxd.write(renderTelegraf("db", minutesOf(8)), "telegraf");
      const place = { addr: influxd.addr, database: "telegraf", measurement: "cpu" };
      const bucket = { name: "influx", type: "influxdb", ...place };
      expect((await torus("create-bucket -", JSON.stringify(bucket))).err).toBe("created bucket influx\n");
      const { code, out } = await torus("watch influx --preset telegraf --limit 1 --prefix i_");
      expect(out).toMatch(/^i_influx_cpu_user +created and started$/m);
      expect(code).toBe(0);
      await removeAll();
    } finally {
      await influxd.stop();
    }
  });
});

describe.skipIf(prometheusMissing !== undefined)(
  `node_exporter in Prometheus ${prometheusMissing ?? ""}`,
  () => {
    test("hosts of their own have models for the mounts they have; all hosts are fleets", async () => {
      const prometheus = await startPrometheus();
      try {
        for (const [instance, mountpoint] of [
          ["web-1:9100", "/"],
          ["web-2:9100", "/data"],
        ] as const) {
          const points = minutesOf(8).flatMap((at) => [
            { at: at * 1000, fields: { node_load1: wave(at) / 10 }, tags: { instance, job: "node" } },
            {
              at: at * 1000,
              fields: { node_filesystem_avail_bytes: 1e9 - 1e6 * wave(at) },
              tags: { instance, job: "node", mountpoint },
            },
          ]);
          const response = await fetch(`http://${prometheus.addr}/api/v1/write`, {
            method: "POST",
            headers: { "content-encoding": "snappy", "content-type": "application/x-protobuf" },
            body: encodeWrite(toSeries(points, undefined)),
          });
          expect(response.ok).toBe(true);
        }
        const bucket = { name: "prom", type: "prometheus", addr: prometheus.addr };
        expect((await torus("create-bucket -", JSON.stringify(bucket))).code).toBe(0);
        const { code, out, err } = await torus("watch prom --preset node_exporter --hosts web-1:9100");
        expect(out).toMatch(/^web-1_9100_load +created and started$/m);
        expect(out).toMatch(/^web-1_9100_disk_free_root +created and started$/m);
        expect(err).toEndWith("2 watched: 2 new, 0 started now, 0 live already; 0 not watched\n");
        expect(code).toBe(0);
        expect((await torus("list-models -q")).out).toBe("web-1_9100_disk_free_root\nweb-1_9100_load\n");
        await removeAll();
        const mine = session.makeFile("prom.yml", renderPreset({ field: "node_load1" }));
        const asked = await torus(`watch prom --preset ${mine} --dry-run`);
        expect(asked.out.match(/^ *(query|name): .*$/gm)).toContain("    query: sum(node_load1)");
        const some = await torus(`watch prom --preset ${mine} --dry-run --hosts web-1:9100`);
        expect(some.err).toBe("left out: missing: no none; asked: its query reads all hosts\n");
        await session.ok("watch prom --preset node_exporter");
        expect(await live()).toEqual(["prom_disk_free_data", "prom_disk_free_root", "prom_load"]);
        await removeAll();
      } finally {
        await prometheus.stop();
      }
    });
  },
);
