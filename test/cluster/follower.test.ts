// Changes of other nodes, and the parts of this node that read something again for each.
import { expect, test } from "bun:test";
import { type Followers, follow } from "../../src/cluster/follower.ts";
import type { Change } from "../../src/core/change.ts";
import { Feed } from "../../src/runtime/feed.ts";
import type { Signal } from "../../src/store/db/transaction.ts";

/** Calls of followers, as `name argument`, for what was found. */
async function callsOf(changes: readonly Change[], signals: readonly Signal[] = []) {
  const calls: string[] = [];
  const record =
    (name: string) =>
    async (argument?: unknown): Promise<void> =>
      void calls.push(argument === undefined ? name : `${name} ${argument}`);
  const names = ["models", "buckets", "tokens", "scheduledJobs", "waitingJobs", "deliveries", "all"] as const;
  const followers = {
    ...Object.fromEntries(names.map((name) => [name, record(name)])),
    endedJobs: (ids: readonly string[]) => void (ids.length > 0 && calls.push(`endedJobs ${ids}`)),
  } as unknown as Followers;
  const published: Change[] = [];
  const feed = new Feed<Change>();
  feed.subscribe((change) => published.push(change));
  const rowCache = { invalidate: (tables: readonly string[]) => void calls.push(`forget ${tables}`) };
  await follow([{ changes, signals }], followers, { changes: feed, rowCache: rowCache as never });
  return { calls, published };
}

const job = (id: string, state: "waiting" | "running" | "done" | "canceled") =>
  ({ type: "job", id, job: "training", model: "m", state }) as const;

test.each<[string, Change[], Signal[], string[]]>([
  ["a token", [], [{ topic: "tokens" }], ["tokens"]],
  ["a scheduled job", [], [{ topic: "scheduled_jobs", name: "j" }], ["scheduledJobs j"]],
  [
    "all scheduled jobs",
    [],
    [{ topic: "scheduled_jobs", name: "j" }, { topic: "scheduled_jobs" }],
    ["scheduledJobs"],
  ],
  ["a model, twice", Array(2).fill({ type: "model", model: "m", step: "changed" }), [], ["models m"]],
  ["a bucket", [{ type: "bucket", bucket: "b", step: "changed" }], [], ["buckets b"]],
  ["a calendar", [{ type: "calendar", calendar: "c", step: "changed" }], [], ["forget calendars"]],
  ["a submitted job", [job("1", "waiting")], [], ["waitingJobs"]],
  ["a running job", [job("1", "running")], [], []],
  ["ended jobs", [job("1", "done"), job("2", "canceled")], [], ["endedJobs 1,2"]],
  [
    "a new delivery",
    [{ type: "delivery", model: "m", hook: "h", isGlobal: false, id: "i", step: "created" }],
    [],
    ["deliveries"],
  ],
  [
    "a delivered one",
    [{ type: "delivery", model: "m", hook: "h", isGlobal: false, id: "i", step: "delivered" }],
    [],
    [],
  ],
])("%s", async (_, changes, signals, expected) => {
  const { calls, published } = await callsOf(changes, signals);
  expect(calls).toEqual(expected);
  // Clients that follow events hear of all changes on every node.
  expect(published).toEqual(changes);
});
