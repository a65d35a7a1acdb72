// Buckets, models and jobs over a real store, and a queue whose handlers wait for the test.
import type { JobDefinition } from "../../src/core/time/scheduled-plan.ts";
import { Buckets } from "../../src/resources/buckets/index.ts";
import { Hooks } from "../../src/resources/hooks/index.ts";
import { Jobs } from "../../src/resources/jobs/index.ts";
import type { LiveControl } from "../../src/resources/live/index.ts";
import type { LiveView } from "../../src/resources/live/view.ts";
import { Models } from "../../src/resources/models/index.ts";
import { ScheduledJobs } from "../../src/resources/scheduled-jobs.ts";
import type { Limits } from "../../src/resources/shared/range.ts";
import { Templates } from "../../src/resources/templates/index.ts";
import { type Call, drain, type FakeOutcome, makeQueue } from "../jobs/fakes.ts";
import { openTemporary } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { perTest } from "../support/per-test.ts";

/** A model of one feature over minutes of bucket `b`. */
export const plainModel = aModel({ features: [{ name: "f", metric: "avg", field: "x" }] });

export const limits: Limits = {
  pointsPerWrite: 5,
  valuesPerRead: 1000,
  valuesPerEvaluation: 500,
  valuesPerForecast: 100,
  pointsPerSeries: 200,
};

/** Live models as the test wants them. */
export class FakeLive implements LiveControl {
  readonly models = new Map<string, string>();
  readonly stopped: string[] = [];
  /** Whose views were asked for, look by look. */
  readonly looks: string[][] = [];

  async modelsUsing(bucket: string): Promise<string[]> {
    return [...this.models].filter(([, used]) => used === bucket).map(([model]) => model);
  }

  async stop(models: readonly string[]): Promise<void> {
    for (const model of models) if (this.models.delete(model)) this.stopped.push(model);
  }

  async planStop(models: readonly string[], reason: string) {
    await this.stop(models);
    return { reason, describe: () => undefined, report: () => {} };
  }

  async follow(): Promise<void> {}

  async views(models: readonly string[]): Promise<ReadonlyMap<string, LiveView>> {
    this.looks.push([...models]);
    return new Map();
  }

  async details(): Promise<ReadonlyMap<string, LiveView>> {
    return new Map();
  }
}

export interface WorldOptions {
  /** Scheduled jobs of the configuration. */
  readonly definitions?: readonly JobDefinition[];
  readonly timezone?: string;
  readonly versionsKept?: number;
}

export async function makeWorld(options: WorldOptions = {}) {
  const { definitions = [], timezone = "UTC", versionsKept = 30 } = options;
  const store = openTemporary();
  const { queue, clock, fake } = makeQueue(store, { versionsKept });
  const live = new FakeLive();
  const jobs = new Jobs({ store, queue, clock });
  const buckets = new Buckets({ store, queue, clock, limits, live, context: { dataDir: store.dir } });
  const openBucket = (name: string) => buckets.open(name);
  const viewJob = (id: string) => jobs.view(id);
  const scheduledJobs = new ScheduledJobs({ store, clock, timezone, definitions: () => definitions });
  const onChange = (names: readonly string[]) => scheduledJobs.follow(names);
  const onPatch = (names: readonly string[]) => scheduledJobs.followSettings(names);
  const models = new Models({ store, queue, clock, limits, live, openBucket, viewJob, onChange, onPatch });
  await queue.start();
  return {
    store,
    queue,
    clock,
    fake,
    live,
    jobs,
    buckets,
    models,
    templates: new Templates({ store, clock }),
    hooks: new Hooks({
      store,
      clock,
      allowed: { programs: [], allowPrivate: false },
      texts: () => ({ timezone: "UTC" }),
      wake: () => {},
    }),
    scheduledJobs,
    /** The handler's side of a job. */
    call: (id: string): Promise<Call> => fake.call(id),
    /** Lets the job end well. */
    finish: async (id: string, outcome?: FakeOutcome) => {
      (await fake.call(id)).done(outcome);
      await drain();
    },
    close: async () => {
      const stopped = queue.stop();
      clock.advance(5000);
      await stopped;
      await buckets.close();
      await store.remove();
    },
  };
}

/** A world for each test of a file. */
export function useWorld(options?: WorldOptions): World {
  return perTest<World>(
    () => makeWorld(options),
    (world) => world.close(),
  );
}

export type World = Awaited<ReturnType<typeof makeWorld>>;
