// The real server, killed in the middle of telling of an anomaly by mail, and mailing a report.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type SmtpServer, startSmtp } from "../support/smtp.ts";

let dir: string;
let smtp: SmtpServer;
let server: ServerProcess;

beforeEach(async () => {
  dir = temporaryFolder();
  smtp = await startSmtp();
  const file = join(dir, "mail.yml");
  writeFileSync(file, `smtp: {host: 127.0.0.1, port: ${smtp.port}, password: ""}\n`);
  chmodSync(file, 0o600);
  server = await start();
  const features = [{ name: "f", metric: "avg", field: "x" }];
  await post("/models", { name: "m", type: "donut", bucket_interval: "1m", features });
  const config = { from: { address: "torus@example.org" }, to: { address: "ops@example.org" } };
  await post("/models/m/hooks", { type: "mail", name: "h", config });
});
afterEach(async () => {
  await server.kill();
  await smtp.stop();
});

const start = () =>
  startServer({ dataDir: join(dir, "data"), args: ["--mail-config", join(dir, "mail.yml")] });

async function post(path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

interface Delivery {
  readonly state: string;
  readonly attempts: number;
}

/** The deliveries, start and end, when they are as asked for. */
async function untilDeliveries(fulfil: (list: readonly Delivery[]) => boolean): Promise<Delivery[]> {
  for (;;) {
    const response = await fetch(`${server.url}/models/m/hooks/h/deliveries`);
    const list = (await response.json()) as Delivery[];
    if (fulfil(list)) return list;
    await Bun.sleep(20);
  }
}

const allSent = (list: readonly Delivery[]) =>
  list.length === 2 && list.every(({ state }) => state === "sent");

test("promise 20: killed while the mail server holds its reply: the mail arrives, with the same Message-ID", async () => {
  smtp.behaviour = "hang-data";
  await post("/models/m/hooks/h/_test");
  const held = await smtp.arrived(1);
  await server.kill();
  smtp.behaviour = "accept";
  server = await start();
  await untilDeliveries(allSent);
  const [first, second, ...more] = smtp.mails;
  expect(first!.headers.get("message-id")).toBe(held.headers.get("message-id")!);
  expect(second!.headers.get("references")).toBe(held.headers.get("message-id")!);
  expect(more).toEqual([]);
});

test("promise 20: killed before the mail server could be reached: each mail arrives exactly once", async () => {
  const { port } = smtp;
  await smtp.stop();
  await post("/models/m/hooks/h/_test");
  await untilDeliveries((list) => list.some(({ attempts }) => attempts > 0));
  await server.kill();
  smtp = await startSmtp({ port });
  server = await start();
  await untilDeliveries(allSent);
  expect(smtp.mails.map(({ headers }) => headers.get("subject"))).toEqual([
    "[test] x is too high: 93.4",
    "[test] Over: x was too high for 12 min",
  ]);
});

test("a scheduled job sends a report, as a page with its text", async () => {
  const json = { to: [{ address: "ops@example.org" }], sender: { address: "torus@example.org" } };
  const every = { unit: "week", count: 1 };
  await post("/scheduled_jobs", {
    name: "report",
    method: "post",
    relative_url: "/report/_send",
    json,
    every,
  });
  await post("/scheduled_jobs/report/_run");
  const mail = await smtp.arrived(1);
  expect([mail.from, mail.to]).toEqual(["torus@example.org", ["ops@example.org"]]);
  expect(mail.headers.get("subject")).toStartWith("Torus: ");
  expect(mail.raw).toMatch(/text\/plain.*WHAT HAPPENED.*text\/html.*<h2>What happened<\/h2>/s);
});
