// Fuzz of all receivers of a server process by amplifying messages: its memory stays, and it goes on answering.
import { readFileSync } from "node:fs";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type Amplifier, amplifierOf } from "./amplify.ts";

export interface FuzzOptions {
  readonly dataDir: string;
  readonly seeds: readonly number[];
  /** Of messages that are unpacked. */
  readonly bytes: number;
  readonly onSent?: (sent: Sent) => void;
}

export interface Sent {
  readonly name: string;
  readonly status: number;
  /** Growth of memory while it ran, at its peak. */
  readonly grownMb: number;
  /** Answers of `/livez` while it ran. */
  readonly answers: number;
  /** Longest of them, ms; nothing may be asserted about it. */
  readonly longestMs: number;
}

/** Sends the messages of the seeds, one after the other. */
export async function fuzz({ dataDir, seeds, bytes, onSent }: FuzzOptions): Promise<Sent[]> {
  const server = await startServer({ dataDir });
  try {
    await fetch(`${server.url}/buckets`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "fuzz", type: "local" }),
    });
    // What is loaded at the first use is no growth.
    for (const seed of seeds) await send(server, amplifierOf(seed, 1000));
    const all: Sent[] = [];
    for (const seed of seeds) {
      const sent = await send(server, amplifierOf(seed, bytes));
      all.push(sent);
      onSent?.(sent);
    }
    return all;
  } finally {
    await server.kill();
  }
}

async function send(server: ServerProcess, { name, path, headers, body }: Amplifier): Promise<Sent> {
  // Garbage of the message before is not growth by this one.
  const idleMb = residentMb(server.pid);
  let [isDone, peakMb, answers, longestMs] = [false, 0, 0, 0];
  const request = fetch(`${server.url}${path}`, { method: "POST", headers, body }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
  const ended = request.finally(() => {
    isDone = true;
  });
  const watch = async () => {
    while (!isDone) {
      const askedAt = performance.now();
      await (await fetch(`${server.url}/livez`)).arrayBuffer();
      answers++;
      longestMs = Math.max(longestMs, performance.now() - askedAt);
      peakMb = Math.max(peakMb, residentMb(server.pid));
    }
  };
  const [status] = await Promise.all([ended, watch()]);
  return { name, status, grownMb: Math.max(0, peakMb - idleMb), answers, longestMs };
}

/** 0 where the system does not tell. */
function residentMb(pid: number): number {
  if (process.platform !== "linux") return 0;
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
}
