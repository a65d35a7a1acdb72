// Property test of promise 6: random submissions, cancels, crashes and ends; transitions stay legal, jobs end.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { TorusError } from "../../../src/core/errors.ts";
import { canTransition, isFinal, type JobState, MAX_ATTEMPTS } from "../../../src/core/job.ts";
import type { Submission } from "../../../src/jobs/queue/queue.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { listJobs } from "../../../src/store/jobs/rows.ts";
import { createModel, loadModel } from "../../../src/store/models.ts";
import { listVersions } from "../../../src/store/versions.ts";
import { openTemporary, type TemporaryStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { roundsOf } from "../../support/rounds.ts";
import { drain, makeQueue, type QueueWorld } from "../fakes.ts";

const types = ["training", "forecast", "read"] as const;
const action = fc.oneof(
  fc.record({ do: fc.constant("submit" as const), type: fc.constantFrom(...types), pick: fc.nat(1) }),
  fc.record({ do: fc.constantFrom("cancel" as const, "finish" as const, "fail" as const), pick: fc.nat(20) }),
  fc.record({
    do: fc.constantFrom("crash" as const, "restart" as const, "delete" as const),
    pick: fc.nat(1),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** Writes down every change of state, whoever makes it. */
function recordMoves(store: TemporaryStore): void {
  store.sqlite.run("create temp table moves (id text, before text, after text, attempts integer)");
  store.sqlite.run(`create temp trigger recorder after update of state on main.jobs when old.state <> new.state
    begin insert into moves values (new.id, old.state, new.state, new.attempts); end`);
}

function submission(type: (typeof types)[number], model: string): Submission {
  return {
    type,
    model: type === "read" ? null : model,
    input: { model, settings: aModel() },
  } as unknown as Submission;
}

/** A server that lives, dies and comes back over one store. */
class Server {
  world: QueueWorld;
  readonly old: QueueWorld[] = [];

  constructor(readonly store: TemporaryStore) {
    this.world = makeQueue(store);
  }

  async act(act: Action): Promise<void> {
    const { queue, fake } = this.world;
    const name = `m${act.pick % 2}`;
    if (act.do === "submit") await queue.submit(submission(act.type, name)).catch(ignoreExpected);
    else if (act.do === "cancel") await this.cancel(act.pick);
    else if (act.do === "crash") await this.restart({ graceful: false });
    else if (act.do === "restart") await this.restart({ graceful: true });
    else if (act.do === "delete") await this.delete(name);
    else {
      const call = fake.calls[act.pick % Math.max(1, fake.calls.length)];
      if (act.do === "finish") call?.done();
      else call?.fail(act.pick % 2 ? new Error("bug") : new TorusError("no_data", "no data found"));
    }
    await drain();
  }

  async cancel(pick: number): Promise<void> {
    const rows = await listJobs(this.store);
    if (rows.length > 0) await this.world.queue.cancel([rows[pick % rows.length]!.id]).catch(ignoreExpected);
  }

  async delete(name: string): Promise<void> {
    this.world.queue.release((await removeModels(this.store, [name], 1)).canceled);
    await createModel(this.store, { name, settings: aModel() }, 1);
  }

  /** A crash leaves the handlers of the dead server to end whenever they like: their results must change nothing. */
  async restart({ graceful }: { graceful: boolean }): Promise<void> {
    if (graceful) await stop(this.world);
    this.old.push(this.world);
    this.world = makeQueue(this.store);
    await this.world.queue.start();
  }

  /** Ends whatever still runs, the dead servers' handlers first. */
  async settle(): Promise<void> {
    for (const world of [...this.old, this.world])
      while (world.fake.calls.length > 0) {
        world.fake.calls[0]!.done();
        await drain();
      }
  }
}

async function stop({ queue, clock }: QueueWorld): Promise<void> {
  const stopped = queue.stop();
  clock.advance(5000);
  await stopped;
}

function ignoreExpected(error: unknown): void {
  const expected = ["job_stopped", "training_active", "overloaded"];
  if (!(error instanceof TorusError) || !expected.includes(error.code)) throw error;
}

test("promise 6: every transition is legal and every job ends, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const store = openTemporary();
      try {
        recordMoves(store);
        for (const name of ["m0", "m1"]) await createModel(store, { name, settings: aModel() }, 1);
        const server = new Server(store);
        await server.world.queue.start();
        for (const act of actions) await server.act(act);
        await server.settle();
        await checkEverything(store);
        for (const world of [...server.old, server.world]) await stop(world);
      } finally {
        await store.remove();
      }
    }),
    { numRuns: roundsOf(60) },
  );
}, 180_000);

async function checkEverything(store: TemporaryStore): Promise<void> {
  const rows = await listJobs(store);
  expect(rows.filter(({ state }) => !isFinal(state))).toEqual([]);
  for (const row of rows) {
    expect(row.attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(row.owner).toBeNull();
    expect(row.endedAt).not.toBeNull();
    expect(row.state === "failed").toBe(Boolean(row.errorMessage));
  }
  const moves = store.sqlite.query("select before, after from moves").all() as {
    before: JobState;
    after: JobState;
  }[];
  for (const { before, after } of moves) expect(canTransition(before, after)).toBe(true);
  await checkVersions(store);
}

/** No version without a training that is done, and the active one exists. */
async function checkVersions(store: TemporaryStore): Promise<void> {
  const rows = await listJobs(store);
  for (const name of ["m0", "m1"]) {
    const versions = await listVersions(store, name);
    const done = rows.filter((row) => row.model === name && row.type === "training" && row.state === "done");
    expect(versions.length).toBeLessThanOrEqual(done.length);
    expect((await loadModel(store, name)).activeVersion).toBe(versions.at(-1)?.name ?? null);
  }
}
