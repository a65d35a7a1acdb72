// Scheduled jobs reach this service only, whatever their path: requests stay in the process.
import { afterEach, beforeEach, expect, test } from "bun:test";
import net from "node:net";
import fc from "fast-check";
import { TorusError } from "../../src/core/errors.ts";
import { checkScheduledJob, type ScheduledJob } from "../../src/core/time/scheduled-job.ts";
import { makeRequest } from "../../src/scheduler/request.ts";
import { createFakeApp } from "../support/fake-app.ts";
import { roundsOf } from "../support/rounds.ts";

const { signal } = new AbortController();
const job = (relative_url: string) =>
  ({ name: "j", method: "post", relative_url, json: {}, every: { unit: "day" } }) as ScheduledJob;

let opened: string[];
const real = { fetch: globalThis.fetch, connect: Bun.connect, netConnect: net.connect };
beforeEach(() => {
  opened = [];
  const refuse = (name: string) => () => {
    opened.push(name);
    throw new Error("a socket was asked for");
  };
  Object.assign(globalThis, { fetch: refuse("fetch") });
  Object.assign(Bun, { connect: refuse("connect") });
  Object.assign(net, { connect: refuse("net") });
});
afterEach(() => {
  Object.assign(globalThis, { fetch: real.fetch });
  Object.assign(Bun, { connect: real.connect });
  Object.assign(net, { connect: real.netConnect });
});

const hostile = [
  "http://169.254.169.254/latest",
  "//evil.example/x",
  "/\\evil.example",
  "\\\\evil.example\\x",
  "/x\r\nHost: evil.example",
  "/@evil.example",
  "/%2f%2fevil.example",
  "/..//evil.example",
  "/:80@evil.example/",
  "///evil.example",
  "/\u2028//evil.example",
  "/models;http://evil.example",
  "file:///etc/passwd",
];

/** The URL of the request that a job sends; undefined where the job is refused. */
function urlOf(relative_url: string): URL | undefined {
  try {
    return new URL(makeRequest(checkScheduledJob(job(relative_url)), 0, signal).url);
  } catch (error) {
    if (error instanceof TorusError) return undefined;
    throw error;
  }
}

test.each(hostile)("%p is refused, or stays here", (relative_url) => {
  const url = urlOf(relative_url);
  if (url)
    expect([url.origin, url.username, url.pathname.startsWith("//")]).toEqual([
      "http://localhost",
      "",
      false,
    ]);
});

test("no path at all leads elsewhere", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    "@",
    ":",
    "//",
    "..",
    "evil.example",
    "%2f",
    "%5c",
    "?",
    "#",
    "\t",
    "a",
  );
  const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`);
  fc.assert(
    fc.property(fc.oneof(path, fc.string()), (text) => {
      const url = urlOf(text);
      expect(url?.origin ?? "http://localhost").toBe("http://localhost");
      expect(url?.search ?? "").toBe("");
    }),
    { numRuns: roundsOf(2000) },
  );
});

test("a run opens no socket", async () => {
  const app = createFakeApp();
  for (const relative_url of [
    "/models/a/_train",
    "/buckets/a/_clear",
    "/@evil.example",
    "/:80@evil.example/",
  ]) {
    const request = makeRequest(checkScheduledJob(job(relative_url)), 0, signal);
    await (await app.handle(request, { scope: "admin", scheduledJob: "j" })).text();
  }
  expect(app.calls).toContain('models.trainAll[["a"],{}]');
  expect(opened).toEqual([]);
});
