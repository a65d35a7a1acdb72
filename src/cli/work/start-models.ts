// Start of planned models: those that are missing are created, those of an earlier run are started.
import { ApiError, pathOf } from "../client/client.ts";
import type { Model } from "../client/views.ts";
import type { Context } from "../command/command.ts";
import { EXIT_FAILED } from "../command/exit-codes.ts";
import { answerTable } from "../output/present.ts";
import type { PlannedModel } from "../presets/plan.ts";

export interface StartOptions {
  /** Models of the server. */
  readonly existing: readonly Model[];
  /** Start of the first training range; absent: live detection chooses it. */
  readonly from: string | undefined;
  readonly hook: Readonly<Record<string, unknown>> | undefined;
}

const states = {
  new: "created and started",
  started: "made earlier, started now",
  live: "live already",
  taken: "name is taken",
  failed: "failed",
} as const;

interface ModelOutcome {
  readonly model: string;
  readonly state: keyof typeof states;
  readonly message: string;
}

/** @returns the exit code: a failure where a model failed or none is watched in the end */
export async function startModels(
  context: Context,
  models: readonly PlannedModel[],
  options: StartOptions,
): Promise<number> {
  const known = new Map(options.existing.map((model) => [model.settings.name, model]));
  const outcomes: ModelOutcome[] = [];
  for (const planned of models) {
    outcomes.push(await startModel(context, planned, known.get(planned.name), options));
  }
  answerTable(context, outcomes, {
    columns: [
      { title: "MODEL", value: ({ model }) => model },
      { title: "STATE", value: ({ state }) => states[state] },
      { title: "", key: "message", value: ({ message }) => message },
    ],
    name: ({ model }) => model,
    empty: "nothing to watch",
  });
  const count = (state: ModelOutcome["state"]) =>
    outcomes.filter((outcome) => outcome.state === state).length;
  const watched = count("new") + count("started") + count("live");
  const others = count("taken") + count("failed");
  context.note(
    `${watched} watched: ${count("new")} new, ${count("started")} started now, ${count("live")} live already; ${others} not watched`,
  );
  return count("failed") > 0 || watched === 0 ? EXIT_FAILED : 0;
}

/** Whether a model reads what is planned. */
export function isMadeAs(
  { default_bucket, features: [planned] }: PlannedModel,
  { settings }: Model,
): boolean {
  const [feature] = settings.features;
  return (
    settings.default_bucket === default_bucket &&
    feature !== undefined &&
    (["field", "measurement", "metric", "query"] as const).every(
      (key) => (feature[key] ?? undefined) === planned![key],
    )
  );
}

/** @throws errors that would affect every model: an interrupt, a lost connection */
async function startModel(
  context: Context,
  planned: PlannedModel,
  existing: Model | undefined,
  options: StartOptions,
): Promise<ModelOutcome> {
  const { name: model } = planned;
  if (existing && !isMadeAs(planned, existing))
    return { model, state: "taken", message: "another model has it: use --prefix TEXT" };
  if (existing?.live) return { model, state: "live", message: "" };
  try {
    if (existing) await allowStart(context, existing);
    else await create(context, planned, options);
    const path = pathOf("models", [model]);
    await context.client.call(`POST ${path}/_start`, { query: { detect_anomalies: true } });
    return { model, state: existing ? "started" : "new", message: "" };
  } catch (error) {
    if (context.signal.aborted || !(error instanceof ApiError)) throw error;
    return { model, state: "failed", message: error.reason };
  }
}

async function create(
  { client }: Context,
  planned: PlannedModel,
  { from, hook }: StartOptions,
): Promise<void> {
  await client.createModel({ ...planned });
  if (hook) await client.call(`PUT ${pathOf("models", [planned.name])}/hooks`, { body: hook, status: 201 });
  if (from !== undefined) await client.train(planned.name, { from });
}

/** A model without a version, as earlier versions left it where there were too few points, starts untrained, too. */
async function allowStart({ client }: Context, { state, settings }: Model): Promise<void> {
  if (state.trained || settings.detector === "auto" || settings.detector === "vae") return;
  await client.call(`PATCH ${pathOf("models", [settings.name])}`, { body: { detector: "auto" } });
}
