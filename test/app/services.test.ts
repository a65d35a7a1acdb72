// The whole service in one process: order of start and stop, requests and jobs meanwhile.
import { expect, test } from "bun:test";
import { type Services, startServices } from "../../src/app/services.ts";
import { readSettings, type ServerSettings } from "../../src/settings/load.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { temporaryFolder } from "../support/folder.ts";

const dir = temporaryFolder();

function settingsFor(file = ""): ServerSettings {
  const readFile = (path: string) => {
    if (path === "f") return file;
    throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  };
  const argv = ["--config", "f", "--listen", "127.0.0.1:0", "--data-dir", dir];
  const command = readSettings({ argv, env: {}, readFile });
  if (command.action !== "serve") throw new Error(command.action);
  return command.settings;
}

interface Running extends Services {
  readonly lines: Record<string, unknown>[];
}

async function start(file?: string): Promise<Running> {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: "debug", write: (line) => lines.push(JSON.parse(line)), now: () => 0 });
  return { ...(await startServices(settingsFor(file), log)), lines };
}

const partsOf = ({ lines }: Running, msg: string) =>
  lines.filter((line) => line.msg === msg).map(({ part }) => part);

test("parts start in order and stop in reverse; a second stop is the first", async () => {
  const services = await start();
  expect((await fetch(services.url)).status).toBe(200);
  await Promise.all([services.stop(), services.stop()]);
  const started = partsOf(services, "started");
  expect(started).toEqual([
    "store",
    "tokens",
    "pool",
    "buckets",
    "connections",
    "queue",
    "subscriptions",
    "live",
    "score history",
    "bin",
    "calendars",
    "brokers",
    "delivery",
    "timetable",
    "listener",
    "events",
  ]);
  expect(partsOf(services, "stopped")).toEqual(started.toReversed());
  await expect(fetch(services.url)).rejects.toThrow();
});

test("a port that is taken: everything already started is stopped", async () => {
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: false, fetch: () => new Response() });
  const settings = { ...settingsFor(), listen: { host: "127.0.0.1", port: other.port! } };
  const log = createLog({ level: "error", write: () => {}, now: () => 0 });
  await expect(startServices(settings, log)).rejects.toThrow();
  await other.stop(true);
  const services = await start();
  await services.stop();
});

test("buckets of the settings are there from the start, and the host id stays", async () => {
  const first = await start("buckets: [{name: b1, type: local}]");
  expect(await (await fetch(`${first.url}buckets/b1`)).json()).toEqual([{ name: "b1", type: "local" }]);
  const { host_id } = (await (await fetch(first.url)).json()) as { host_id: string };
  await first.stop();
  const second = await start();
  expect(await (await fetch(second.url)).json()).toMatchObject({ host_id });
  expect((await fetch(`${second.url}buckets/b1`)).status).toBe(200);
  await second.stop();
});

test("a bad bucket in the settings names its place", async () => {
  await expect(start("buckets: [{name: b, type: locl}]")).rejects.toThrow(/buckets\.0\.type: .*local/);
});

test("promise 24: a body beyond the cap is refused before it has arrived", async () => {
  const services = await start("server.limits.body_bytes: 1000");
  const body = new Uint8Array(10_000_000).fill(0x20);
  const headers = { "content-type": "application/json" };
  const announced = await fetch(`${services.url}models`, { method: "POST", body, headers });
  expect(announced.status).toBe(413);
  const stream = new Blob([body]).stream();
  const streamed = await fetch(`${services.url}models`, { method: "POST", body: stream, headers });
  expect(streamed.status).toBe(413);
  expect(streamed.headers.get("content-type")).toBe("application/json");
  await services.stop();
});

/** A request of which only the first half of the body is sent until `finish`. */
async function sendHalf(url: string) {
  const { hostname, port } = new URL(url);
  const answer = Promise.withResolvers<string>();
  let received = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, data) => {
        received += data.toString();
      },
      close: () => answer.resolve(received),
    },
  });
  const head =
    "POST /buckets HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 29\r\n\r\n";
  socket.write(`${head}{"name":"b2",`);
  // Answered on a connection of its own after the server has read what came before on this one.
  await fetch(url);
  return {
    finish: () => socket.write('"type":"local" }'),
    answer: answer.promise,
  };
}

test("promise 23: a request under way is finished, then its connection closed", async () => {
  const services = await start();
  const request = await sendHalf(services.url);
  const stopped = services.stop();
  await expect(fetch(services.url)).rejects.toThrow();
  request.finish();
  expect(await request.answer).toStartWith("HTTP/1.1 201");
  await stopped;
});

test("promise 23: a client that never finishes does not hold up the stop", async () => {
  const services = await start("server.limits.stop: 0s");
  const request = await sendHalf(services.url);
  await services.stop();
  expect(await request.answer).toBe("");
});
