// Nodes whose clocks are off, as faketime sets them, on a real PostgreSQL: some seconds do no harm, more cost the models.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { isServerRequired } from "../support/spawned.ts";
import {
  type ClusterNode,
  countShards,
  lastWindows,
  makeSource,
  readAudit,
  startAudit,
  startModels,
  startNode,
  until,
  untilShared,
} from "./nodes.ts";

const TEST_MS = 180_000;
const names = Array.from({ length: 12 }, (_, i) => `m${i}`);
/** Its wrapper would be killed in place of the node. */
const [library] = new Bun.Glob("*/faketime/libfaketime.so.1").scanSync({ cwd: "/usr/lib", absolute: true });
const faketimeMissing = library
  ? undefined
  : "faketime is not installed (apt-get install -y faketime); tests of skewed clocks are skipped";
const missing = postgresMissing ?? faketimeMissing;

if (missing) console.log(missing);

describe.skipIf(missing !== undefined && !isServerRequired)("a node whose clock is off", () => {
  let postgres: Postgres;
  let receiver: Receiver;
  const nodes: ClusterNode[] = [];
  const start = async (name: string, offsetS = 0) => {
    const skewed = { LD_PRELOAD: library!, FAKETIME: `+${offsetS}s`, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
    const node = await startNode({ name, addr: postgres.addr, env: offsetS === 0 ? {} : skewed });
    nodes.push(node);
    return node;
  };

  beforeAll(async () => {
    postgres = await startPostgres();
    await makeSource(postgres);
    receiver = startReceiver();
    await startModels(await start("a"), { source: postgres.addr, names, hook: receiver.url });
    await startAudit(postgres);
  }, TEST_MS);
  afterAll(async () => {
    await Promise.all(nodes.map(({ server }) => server.kill()));
    await receiver?.stop();
    await postgres?.stop();
  });

  test(
    "promise 17: by three seconds works beside the others: no window is recorded twice",
    async () => {
      const ahead = await start("b", 3);
      await untilShared(postgres, "a", "b");
      const since = Date.now() / 1000;
      await until("all models are evaluated", async () =>
        [...(await lastWindows(ahead.client)).values()].every((end) => end > since),
      );
      await ahead.server.kill();
      await untilShared(postgres, "a");
      const sinceKill = Date.now() / 1000;
      await until("all models are evaluated by the node with the right clock", async () =>
        [...(await lastWindows(nodes[0]!.client)).values()].every((end) => end > sinceKill),
      );
      expect(await readAudit(postgres, 1000)).toMatchObject({ twice: 0 });
    },
    TEST_MS,
  );

  test(
    "by fifteen seconds has no models, and says so",
    async () => {
      const wrong = await start("c", 15);
      // Before that it may be unready for another reason, as on a busy machine.
      await until("its clock is the reason that it is not ready", async () => {
        const { error } = (await (await fetch(`${wrong.server.url}/readyz`)).json()) as { error?: string };
        return error?.includes("clock") ?? false;
      });
      const warned = wrong.server.lines.filter((line) => line.includes("clock skew"));
      expect(warned).toEqual([expect.stringContaining('"level":"warn"')]);
      const { skew } = JSON.parse(warned[0]!) as { skew: number };
      expect(Math.abs(skew - 15)).toBeLessThan(1);
      await until("the other one has all shards", async () => {
        const counts = await countShards(postgres);
        return counts.get("a") === 1024 && counts.get("c") === 0;
      });
    },
    TEST_MS,
  );
});
