// Faulty servers for every network kind: each fault is a typed error, never data (promise 15).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { exploreLimits } from "../../src/resources/buckets/probe.ts";
import { closeLater, closeServers, serve, serveBytes } from "../net/fetch.support.ts";
import { findFreePort } from "../support/spawned.ts";
import { aFeature, idle, MINUTE, T0 } from "./support.ts";

/** Part of the credentials of every bucket here; must not occur in any message. */
export const marker = "MARKER-pw-31";

export interface FaultSubject {
  readonly kind: string;
  /** A bucket on the server at `host:port`, whose secrets contain `marker`. */
  open(addr: string, timeout: string): Bucket;
  /** False for kinds with a protocol of their own. */
  readonly http?: boolean;
}

interface Fault {
  readonly code: string;
  /** Starts a server. @returns its `host:port` */
  start(): string;
  /** True where only the timeout ends a call. */
  readonly slow?: boolean;
  /** Part of the message. */
  readonly says?: string;
}

const text = (body: string, status = 200) => serve(() => new Response(body, { status }));

/** Of any server. */
const faults: Readonly<Record<string, Fault>> = {
  "refuses the connection": { code: "bucket_unavailable", start: () => `127.0.0.1:${findFreePort()}` },
  "accepts and says nothing": { code: "bucket_unavailable", start: startBlackHole, slow: true },
  "hangs up at once": { code: "bucket_unavailable", start: () => startHangUp() },
  "answers garbage": { code: "bucket_unavailable", start: () => serveBytes("\0\x01garbage\r\n\r\n") },
  "sends bytes without end": { code: "bucket_unavailable", start: startFlood, slow: true },
};

const message = (status: number) => text(JSON.stringify({ error: `bad ${marker}`, message: marker }), status);

/** Of a server that speaks HTTP. */
const httpFaults: Readonly<Record<string, Fault>> = {
  "is a login page": {
    code: "bucket_unavailable",
    start: () => text("<html>please log in</html>"),
    says: "sent a page (HTML)",
  },
  "answers nothing": { code: "bucket_unavailable", start: () => text("") },
  "answers null": { code: "bucket_unavailable", start: () => text("null") },
  "answers JSON of another kind": { code: "bucket_unavailable", start: () => text('{"hello": [1]}') },
  "answers a list": { code: "bucket_unavailable", start: () => text("[[]]") },
  "is cut off in its answer": { code: "bucket_unavailable", start: startCutOff },
  "sends a body without end": { code: "bucket_unavailable", start: startEndlessBody },
  "sends a byte now and then": { code: "bucket_unavailable", start: startDrip, slow: true },
  "answers 200 with an error": { code: "bucket_rejected", start: () => message(200), says: "bad ***" },
  "answers 400": { code: "bucket_rejected", start: () => message(400) },
  "answers 401": { code: "bucket_auth", start: () => message(401) },
  "answers 403": { code: "bucket_auth", start: () => message(403) },
  "answers 429": { code: "bucket_unavailable", start: () => message(429) },
  "answers 500": { code: "bucket_unavailable", start: () => message(500) },
  "answers 503": { code: "bucket_unavailable", start: () => message(503) },
  "leads elsewhere": {
    code: "bucket_rejected",
    start: () => serve(() => new Response(null, { status: 302, headers: { location: `http://${marker}/` } })),
  },
};

/** Runs every fault against reading, probing, exploring and clearing. */
export function runFaults({ kind, open, http = true }: FaultSubject): void {
  describe(`a faulty server of ${kind}`, () => {
    let bucket: Bucket | undefined;
    beforeEach(() => {
      bucket = undefined;
    });
    afterEach(() => {
      bucket?.close();
      closeServers();
    });

    const all = Object.entries(http ? { ...faults, ...httpFaults } : faults);
    test.each(all)("%s", async (_, { code, start, slow, says }) => {
      bucket = open(start(), slow || !http ? "0.3s" : "5s");
      for (const call of callsOf(bucket)) {
        const startedAt = performance.now();
        const error = await call().then(
          (answer) => new Error(`answered ${JSON.stringify(answer)?.slice(0, 80)}`),
          (thrown) => thrown,
        );
        expect(error).toMatchObject({ code, ...(says && { message: expect.stringContaining(says) }) });
        expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(marker);
        // Twice the longest timeout.
        expect(performance.now() - startedAt).toBeLessThan(10_000);
      }
    });

    test("does not answer: an abort ends the wait at once", async () => {
      bucket = open(startBlackHole(), "30s");
      for (const call of callsOf(bucket)) {
        const controller = new AbortController();
        const waiting = call(controller.signal);
        setTimeout(() => controller.abort(), 50);
        await expect(waiting).rejects.toMatchObject({ code: "canceled" });
      }
    });
  });
}

/** All reading calls of a bucket and `clear`; for writes an empty answer is valid. */
function callsOf(bucket: Bucket): ((signal?: AbortSignal) => Promise<unknown>)[] {
  const range = { fromAt: T0, toAt: T0 + 3 * MINUTE };
  const read = (metric: string) => (signal?: AbortSignal) =>
    bucket.read({ range, intervalMs: MINUTE, features: [aFeature({ metric })] }, signal ?? idle());
  const { readGrouped, probe, explore, clear } = bucket;
  const readGroups = (metric: string) => (signal?: AbortSignal) => {
    const features = [aFeature({ metric })];
    const query = { range, intervalMs: MINUTE, features, groupBy: ["host"], maxSeries: 9 };
    return readGrouped!.call(bucket, query, signal ?? idle());
  };
  return [
    read("avg"),
    read("mode"),
    ...(readGrouped ? [readGroups("avg"), readGroups("mode")] : []),
    ...(probe ? [(signal?: AbortSignal) => probe.call(bucket, signal ?? idle())] : []),
    ...(clear ? [(signal?: AbortSignal) => clear.call(bucket, signal ?? idle())] : []),
    ...(explore
      ? [(signal?: AbortSignal) => explore.call(bucket, { limits: exploreLimits }, signal ?? idle())]
      : []),
  ];
}

type Socket = Bun.Socket<undefined>;

/** A listener whose sockets are closed with it. */
function listen(socket: {
  open?(socket: Socket): void;
  data?(socket: Socket): void;
  drain?(socket: Socket): void;
}) {
  const sockets = new Set<Socket>();
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (one) => {
        sockets.add(one);
        socket.open?.(one);
      },
      data: (one) => socket.data?.(one),
      drain: (one) => socket.drain?.(one),
      close: (one) => void sockets.delete(one),
    },
  });
  closeLater(() => {
    for (const one of sockets) one.terminate();
    listener.stop(true);
  });
  return `127.0.0.1:${listener.port}`;
}

function startBlackHole(): string {
  return listen({});
}

function startHangUp(): string {
  return listen({ data: (socket) => void socket.end() });
}

const flood = Buffer.alloc(65_536, "N");

/** As fast as they are taken. */
function startFlood(): string {
  const pour = (socket: Socket) => {
    while (socket.write(flood) === flood.length);
  };
  return listen({ data: pour, drain: pour });
}

function startCutOff(): string {
  const body = '{"results":[{"statement_id":0,"series":[';
  return serveBytes(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${body}`);
}

function startEndlessBody(): string {
  const chunk = new Uint8Array(1 << 20).fill(0x20);
  return serve(() => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })));
}

function startDrip(): string {
  const drip = async function* () {
    for (;;) {
      yield " ";
      await Bun.sleep(20);
    }
  };
  return serve(() => new Response(drip as never));
}
