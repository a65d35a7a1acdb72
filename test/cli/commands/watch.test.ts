// Command watch against real data sources: discovery, models, trainings, starts.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { encodeWrite, toSeries } from "../../../src/buckets/prometheus/remote-write.ts";
import { influxdMissing, startInfluxd } from "../../support/influxd.ts";
import { prometheusMissing, startPrometheus } from "../../support/prometheus.ts";
import { useSession } from "../session.ts";

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
      "name: t_db_example_org_cpu_user",
      "name: t_db_example_org_cpu_idle",
      "name: t_db_example_org_disk_used_root",
      "name: t_new_cpu_user",
      "name: t_new_cpu_idle",
      "name: t_new_disk_used_root",
    ]);
    expect((await torus("list-models -q")).out).toBe("");
    const one = await torus("watch hosts --preset telegraf --dry-run --hosts 'db*' --limit 2 --json");
    expect(JSON.parse(one.out)).toHaveLength(2);
    expect(one.err).toContain("3 models are possible, creating the first 2");
  });

  test("trains and starts models; those without enough data report when there will be", async () => {
    const hook = session.makeFile(
      "hook.yml",
      "name: marks\ntype: annotations\nconfig: {bucket: hosts, type: torus}\n",
    );
    const { code, out, err } = await torus(`watch hosts --preset telegraf --hook ${hook}`);
    expect(out).toMatch(/^MODEL +STATE$/m);
    expect(out).toMatch(/^db_example_org_cpu_user +watched$/m);
    expect(out).toMatch(/^db_example_org_disk_used_root +watched$/m);
    expect(out).toMatch(/^new_cpu_user +not trained +too little data .*enough at /m);
    expect(err).toEndWith("3 watched, 3 not trained yet, 0 existed\n");
    expect(code).toBe(0);
    const models = JSON.parse((await torus("list-models --json")).out) as { live?: object }[];
    expect(models.filter(({ live }) => live)).toHaveLength(3);
    expect(JSON.parse((await torus("list-hooks db_example_org_cpu_user --json")).out)).toMatchObject([
      { name: "marks" },
    ]);
    const again = await torus("watch hosts --preset telegraf");
    expect(again.err).toEndWith("0 watched, 0 not trained yet, 6 existed\n");
    for (const model of models as { settings: { name: string } }[])
      expect((await torus(`delete-model ${model.settings.name}`)).code).toBe(0);
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
      expect(out).toMatch(/^i_db_cpu_user +watched$/m);
      expect(code).toBe(0);
      expect((await torus("delete-model i_db_cpu_user")).code).toBe(0);
    } finally {
      await influxd.stop();
    }
  });
});

describe.skipIf(prometheusMissing !== undefined)(
  `node_exporter in Prometheus ${prometheusMissing ?? ""}`,
  () => {
    test("mounts that a host does not have leave no model behind", async () => {
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
        expect(out).toMatch(/^web-1_9100_load +watched$/m);
        expect(out).toMatch(/^web-1_9100_disk_free_root +watched$/m);
        expect(out).toMatch(/^web-1_9100_disk_free_data +not there +no points: not created$/m);
        expect(err).toEndWith("2 watched, 0 not trained yet, 0 existed\n");
        expect(code).toBe(0);
        expect((await torus("list-models -q")).out).toBe("web-1_9100_disk_free_root\nweb-1_9100_load\n");
      } finally {
        await prometheus.stop();
      }
    });
  },
);
