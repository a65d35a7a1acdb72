// Data sources for the commands of the documents, with data.
import { encodeWrite, toSeries } from "../../src/buckets/prometheus/remote-write.ts";
import { alertmanagerMissing, startAlertmanager } from "../support/alertmanager.ts";
import { startElastic } from "../support/elasticsearch.ts";
import { influxdMissing, startInfluxd } from "../support/influxd.ts";
import { prometheusMissing, startPrometheus } from "../support/prometheus.ts";

const DAYS = 7;
const STEP_S = 60;
const DAY_S = 86_400;
const JSON_TYPE = { "content-type": "application/json" };

export interface Source {
  /** The address it has in the documents. */
  readonly address: string;
  /** Why it cannot be started; undefined where it can. */
  readonly missing: string | undefined;
  /** @returns the address it has here */
  readonly start: () => Promise<{ addr: string; stop: () => Promise<void> }>;
}

export const sources: Readonly<Record<string, Source>> = {
  influxd: { address: "localhost:8086", missing: influxdMissing, start: startTelegraf },
  prometheus: { address: "localhost:9090", missing: prometheusMissing, start: startScraped },
  elasticsearch: { address: "localhost:9200", missing: undefined, start: startDocuments },
  "prometheus-alertmanager": { address: "localhost:9093", missing: alertmanagerMissing, start: startAlerts },
};

/** What a busy host measures: a day's rhythm with a little noise. Instants in seconds. */
export function listMeasurements(nowS: number): { at: number; busy: number }[] {
  const end = Math.floor(nowS / STEP_S) * STEP_S;
  return Array.from({ length: (DAYS * DAY_S) / STEP_S }, (_, i) => {
    const at = end - DAYS * DAY_S + (i + 1) * STEP_S;
    const rhythm = 30 - 20 * Math.cos((2 * Math.PI * at) / DAY_S);
    return { at, busy: rhythm + 2 * Math.sin(i * 12.9898) + Math.sin(i * 78.233) };
  });
}

/** As line protocol, as Telegraf writes it. */
function renderLines(nowS: number): string {
  const tags = "cpu,cpu=cpu-total,host=web-1";
  return listMeasurements(nowS)
    .map(
      ({ at, busy }) =>
        `${tags} usage_user=${busy.toFixed(3)},usage_idle=${(100 - busy).toFixed(3)} ${at}000000000`,
    )
    .join("\n");
}

/** An InfluxDB in which Telegraf has written for a week. */
async function startTelegraf() {
  const influxd = await startInfluxd();
  await influxd.query("create database telegraf");
  await influxd.write(renderLines(Date.now() / 1000), "telegraf");
  return { addr: influxd.addr, stop: () => influxd.stop() };
}

/** A Prometheus that has asked a node exporter for a week. */
async function startScraped() {
  const { addr, stop } = await startPrometheus();
  const tags = { instance: "web-1:9100", job: "node" };
  const points = listMeasurements(Date.now() / 1000).map(({ at, busy }) => ({
    at: at * 1000,
    fields: { node_load1: busy / 10 },
    tags,
  }));
  const headers = { "content-encoding": "snappy", "content-type": "application/x-protobuf" };
  const body = encodeWrite(toSeries(points, undefined));
  const response = await fetch(`http://${addr}/api/v1/write`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
  return { addr, stop };
}

/** A stand-in for Elasticsearch with a document per minute of a week. */
async function startDocuments() {
  const { addr, stop } = startElastic();
  const send = async (method: string, path: string, body: string) => {
    const response = await fetch(`http://${addr}${path}`, { method, headers: JSON_TYPE, body });
    if (!response.ok) throw new Error(await response.text());
  };
  const properties = { "@timestamp": { type: "date" }, took: { type: "double" }, host: { type: "keyword" } };
  await send("PUT", "/requests", JSON.stringify({ mappings: { properties } }));
  const lines = listMeasurements(Date.now() / 1000).flatMap(({ at, busy }) => [
    { update: { _index: "requests", _id: String(at) } },
    { doc: { "@timestamp": at * 1000, took: busy, host: "web-1" }, doc_as_upsert: true },
  ]);
  await send("POST", "/_bulk", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return { addr, stop: async () => stop() };
}

/** An Alertmanager that notifies nobody. */
async function startAlerts() {
  const { url, stop } = await startAlertmanager("http://127.0.0.1:9/");
  return { addr: new URL(url).host, stop };
}
