// Caps: one resource beyond the cap is refused and changes nothing; existing ones can still be changed.
import { expect, test } from "bun:test";
import { checkScheduledJob } from "../../../src/core/time/scheduled-job.ts";
import { putBucket } from "../../../src/store/buckets.ts";
import { putCalendar } from "../../../src/store/calendars.ts";
import { caps } from "../../../src/store/db/caps.ts";
import { putHook } from "../../../src/store/hooks.ts";
import { createModel } from "../../../src/store/models.ts";
import { putScheduledJob } from "../../../src/store/scheduled-jobs.ts";
import { createTemplate } from "../../../src/store/templates.ts";
import { aBucket, aModel } from "../../support/builders.ts";
import { execute, useStore } from "../temporary.ts";

const store = useStore();

/** As many rows as `most`, made by the database itself. */
function fill(into: string, values: string, most: number): Promise<void> {
  return execute(
    store,
    `insert into ${into} with recursive n(i) as (select 1 union all select i + 1 from n where i < ${most}) select ${values} from n`,
  );
}

const job = (name: string) =>
  checkScheduledJob({ name, method: "get", relative_url: "/jobs", every: { unit: "day" } });
const hook = (name: string, model = "m") =>
  putHook(store, { model, name }, { at: 1, change: () => ({ kind: "mail", config: {} }) });
const bucket = (name: string) => putBucket(store, { name, kind: "local", settings: aBucket({ name }) }, 1);
const model = (name: string) => createModel(store, { name, settings: aModel() }, 1);

type Row = [keyof typeof caps, string, string, (name: string) => Promise<unknown>];
const rows: Row[] = [
  [
    "buckets",
    "buckets (name, kind, created_at, updated_at, settings)",
    "'x' || i, 'local', 1, 1, '{}'",
    bucket,
  ],
  ["models", "models (name, created_at, updated_at, settings)", "'x' || i, 1, 1, '{}'", model],
  [
    "calendars",
    "calendars (name, created_at, updated_at, settings)",
    "'x' || i, 1, 1, '{}'",
    (name) => putCalendar(store, name, { at: 1, change: () => ({ settings: { name } }) }),
  ],
  [
    "templates",
    "templates (name, created_at, settings)",
    "'x' || i, 1, '{}'",
    (name) => createTemplate(store, { name, settings: aBucket({ name }) }, 1),
  ],
  [
    "scheduledJobs",
    "scheduled_jobs (name, origin, created_at, updated_at, definition)",
    "'x' || i, 'api', 1, 1, '{}'",
    (name) => putScheduledJob(store, { definition: job(name), origin: "api", at: 1 }),
  ],
  [
    "hooks",
    "hooks (model, name, kind, created_at, updated_at, config)",
    "'m', 'x' || i, 'mail', 1, 1, '{}'",
    hook,
  ],
];

test.each(rows)("%s: the last one fits, one more does not", async (key, into, values, make) => {
  const { max: most } = caps[key];
  if (key === "hooks") await Promise.all([model("m"), model("n")]);
  await fill(into, values, most - 1);
  await make("last");
  await expect(make("more")).rejects.toThrow(`there are ${most} `);
  if (key === "hooks") await hook("first", "n");
});

test("at the cap entries can be replaced, and the configuration may define more", async () => {
  await fill(
    "buckets (name, kind, created_at, updated_at, settings)",
    "'x' || i, 'local', 1, 1, '{}'",
    caps.buckets.max,
  );
  await bucket("x1");
  await fill(
    "scheduled_jobs (name, origin, created_at, updated_at, definition)",
    "'x' || i, 'api', 1, 1, '{}'",
    caps.scheduledJobs.max,
  );
  await putScheduledJob(store, { definition: job("x1"), origin: "api", at: 1 });
  await putScheduledJob(store, { definition: job("more"), origin: "config", at: 1 });
});

test("scheduled jobs of models and of the configuration do not count", async () => {
  const into = "scheduled_jobs (name, origin, created_at, updated_at, definition)";
  await fill(into, "'m' || i, 'model', 1, 1, '{}'", caps.scheduledJobs.max);
  await fill(into, "'c' || i, 'config', 1, 1, '{}'", caps.scheduledJobs.max);
  await putScheduledJob(store, { definition: job("own"), origin: "api", at: 1 });
});
