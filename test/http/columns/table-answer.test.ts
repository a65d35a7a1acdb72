// Answers in columns: headers, errors, and what ends when the client leaves.
import { describe, expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import { answerTable } from "../../../src/http/columns/table-answer.ts";
import { renderAnswer, TableAnswer } from "../../../src/http/framework/answer.ts";
import { createFakeApp, expectAnswer, JOB_ID, send } from "../../support/fake-app.ts";
import { readArrow } from "../../support/tables.ts";

const source = { jobId: JOB_ID, bucket: "b", intervalMs: 60_000, features: ["avg_v"] };
const result = { timestamps: [0, 60], observed: { avg_v: [1.5, null] } };
const csv = { accept: "text/csv" };
const arrow = { accept: "application/vnd.apache.arrow.stream" };

const readsColumns = (wait: () => Promise<unknown> = async () => result) =>
  createFakeApp({ buckets: { submitRead: async () => source }, jobs: { wait } });

describe("a read in columns", () => {
  test("waits for its job, with the connection held open", async () => {
    const app = readsColumns();
    const response = await send(app, "POST /buckets/b/_read?from=0", { headers: csv });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/csv; charset=utf-8; header=present",
    ]);
    expect(await response.text()).toBe(
      "time,avg_v\r\n1970-01-01T00:00:00.000Z,1.5\r\n1970-01-01T00:01:00.000Z,\r\n",
    );
    expect(app.held).toHaveLength(1);
    expect(app.calls).toContain('buckets.submitRead["b",{"from":"0"},{"foreground":true}]');
  });

  test("as Arrow, with the headers of every answer", async () => {
    const response = await send(readsColumns(), "POST /buckets/b/_read", { headers: arrow });
    expect(response.headers.get("content-type")).toBe(arrow.accept);
    expect(response.headers.get("vary")).toBe("accept");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const read = await readArrow(await response.bytes());
    expect(read.metadata).toEqual({ bucket: "b", bucket_interval: "60" });
    expect(read.columns).toEqual({ time: [0, 60_000], avg_v: [1.5, null] });
  });

  test("is refused in the background, with the way out", async () => {
    const app = readsColumns();
    await expectAnswer(app, ["POST /buckets/b/_read?bg=true", { headers: arrow }], {
      status: 400,
      holds: ['"path":"bg"', "must be false with Accept: application/vnd.apache.arrow.stream"],
    });
    expect(app.calls).toEqual([]);
  });

  test("fails as a problem in JSON", async () => {
    const app = readsColumns(async () => {
      throw new TorusError("bucket_unavailable", "bucket b: no answer");
    });
    await expectAnswer(app, ["POST /buckets/b/_read", { headers: csv }], {
      status: 503,
      body: expect.objectContaining({ code: "bucket_unavailable" }),
    });
  });

  test.each([
    ["no Accept", {}],
    ["an unknown format", { accept: "application/vnd.apache.parquet" }],
  ])("is the id of a job with %s", async (_, headers) => {
    const app = createFakeApp({ buckets: { read: async () => JOB_ID } });
    const response = await send(app, "POST /buckets/b/_read", { headers });
    expect([response.status, await response.json()]).toEqual([202, JOB_ID]);
    expect(response.headers.get("vary")).toBe("accept");
  });
});

test("Vary names the origin, too, where pages of other sites may read", async () => {
  const app = createFakeApp({ cors: ["https://a.example"] });
  const response = await send(app, "POST /models/m/_eval", { headers: { origin: "https://a.example" } });
  expect(response.headers.get("vary")).toBe("origin, accept");
});

test("HEAD of a series has the headers of GET and no body", async () => {
  const view = { from: 0, step: 60, bucket_interval: 60, cells: 1, thresholds: { max: 90, min: 50 } };
  const app = createFakeApp({ series: { read: async () => ({ m: view }) } });
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => send(app, `${method} /models/m/_series?from=0`, { headers: csv })),
  );
  expect(await get!.text()).toBe("time\r\n1970-01-01T00:00:00.000Z\r\n");
  expect([head!.status, head!.headers.get("content-type"), await head!.text()]).toEqual([
    200,
    get!.headers.get("content-type"),
    "",
  ]);
});

test("columns of several models are refused", async () => {
  await expectAnswer(createFakeApp(), ["GET /models/a;b/_series?from=0", { headers: csv }], {
    status: 400,
    holds: ["must be one model with Accept: text/csv: ask for each by itself"],
  });
});

test("pages say how many series there are, and what is left out", () => {
  const table = { columns: [], blocks: [], metadata: {} };
  const { headers } = answerTable({ table, total: 7, advice: "2 are left out" }, "csv");
  expect(headers).toMatchObject({ "x-total-count": "7", "x-torus-advice": "2 are left out" });
});

describe.each(["csv", "arrow"] as const)("%s over a socket", (format) => {
  const length = 5_000_000;

  /** Serves a long table. @returns the number of cells read so far, and the end of its pieces */
  function serve() {
    let reads = 0;
    const cell = (row: number) => {
      reads++;
      return row;
    };
    const columns = [{ name: "time", type: "time" }] as const;
    const table = { columns, blocks: [{ length, cells: [cell] }], metadata: {} };
    const { pieces, headers } = answerTable({ table }, format);
    const ended = Promise.withResolvers<void>();
    async function* watch() {
      try {
        yield* pieces as AsyncGenerator<Uint8Array>;
      } finally {
        ended.resolve();
      }
    }
    const answer = new TableAnswer(watch(), headers);
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => renderAnswer(answer, false, {}),
    });
    return { server, ended: ended.promise, countReads: () => reads };
  }

  test("a client that leaves ends the work", async () => {
    const { server, ended, countReads } = serve();
    const leaving = new AbortController();
    const response = await fetch(server.url, { signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    await ended;
    expect(countReads()).toBeLessThan(length);
    await server.stop(true);
  });

  test("a client that does not read holds it up", async () => {
    const { server, countReads } = serve();
    const { promise: isOpen, resolve } = Promise.withResolvers<void>();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: server.port!,
      socket: {
        data(own) {
          own.pause();
          resolve();
        },
      },
    });
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await isOpen;
    let before = -1;
    // Until the buffers of the connection are full.
    for (let reads = countReads(); reads !== before; reads = countReads()) {
      before = reads;
      await Bun.sleep(300);
    }
    expect(before).toBeLessThan(length / 2);
    socket.end();
    await server.stop(true);
  });
});
