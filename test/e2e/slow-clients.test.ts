// Promise 24, on a real process: clients that send next to nothing, or never end, cost little and are cut off.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const CONNECTIONS = 600;
const HEAD =
  "POST /buckets HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n";

const dir = temporaryFolder();
let server: ServerProcess;
beforeAll(async () => {
  const config = join(dir, "torus.yml");
  writeFileSync(config, "server.limits.idle: 1s");
  server = await startServer({ dataDir: join(dir, "data"), args: ["--config", config] });
});
afterAll(() => server.stop());

/** A connection on which this is sent. */
async function open(text: string) {
  const { hostname, port } = new URL(server.url);
  const closed = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: () => {}, close: () => closed.resolve(), error: () => {} },
  });
  socket.write(text);
  return { socket, closed: closed.promise };
}

const kinds = ["", HEAD, `${HEAD}\r\n{`];

test("promise 24: six hundred connections, silent, within a header or within a body, hinder no other client and are cut off", async () => {
  const texts = Array.from({ length: CONNECTIONS }, (_, i) => kinds[i % kinds.length]!);
  const clients = await Promise.all(texts.map(open));
  // There is always more of a body that drips.
  const dripping = await open(`${HEAD}\r\n`);
  const drip = setInterval(() => dripping.socket.write(" "), 100);
  for (let i = 0; i < 20; i++) expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  await Promise.all([...clients, dripping].map(({ closed }) => closed));
  clearInterval(drip);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
}, 180_000);
