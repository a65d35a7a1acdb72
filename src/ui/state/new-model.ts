// Creation of models: created once, given a hook, trained, started; an attempt after an error goes on where it was.

import type { JobView } from "../../api/job.ts";
import { type HookSettings, putHook, tryHook } from "./hooks.ts";
import { untilDone } from "./jobs.ts";
import { request } from "./session.ts";

export interface Creation {
  readonly name: string;
  /** Path and body of the request that creates it. */
  readonly path: string;
  readonly body: object;
}

export interface CreationOptions {
  /** Seconds, or a relative date. */
  readonly from: number | string;
  readonly to?: number | undefined;
  readonly isWatched: boolean;
  readonly hook?: HookSettings | undefined;
  /** Names of the models that exist already because of an earlier attempt. */
  readonly created: Set<string>;
  readonly onStep: (step: CreationStep) => void;
  readonly signal: AbortSignal;
}

export interface CreationStep {
  readonly kind: "create" | "hook" | "train" | "start";
  readonly name: string;
  readonly job?: JobView;
}

/** @returns the first model whose hook was not reached. @throws Problem, or the reason of the signal */
export async function createModels(
  models: readonly Creation[],
  options: CreationOptions,
): Promise<string | undefined> {
  const { created, onStep, hook, isWatched, signal } = options;
  for (const { name, path, body } of models) {
    if (created.has(name)) continue;
    onStep({ kind: "create", name });
    await request(path, { method: "POST", body, signal });
    created.add(name);
  }
  let unreached: string | undefined;
  for (const { name } of models) {
    if (hook) {
      onStep({ kind: "hook", name });
      await putHook(name, hook);
      if (await tryHook(name, hook.name, signal)) unreached ??= name;
    }
    onStep({ kind: "train", name });
    await train(name, options);
    if (!isWatched) continue;
    onStep({ kind: "start", name });
    await request(`${pathOf(name)}/_start?detect_anomalies=true`, { method: "POST", signal });
  }
  return unreached;
}

async function train(name: string, { from, to, onStep, signal }: CreationOptions): Promise<void> {
  const range = new URLSearchParams({ from: String(from), ...(to !== undefined && { to: String(to) }) });
  const id = await request<string>(`${pathOf(name)}/_train?${range}`, { method: "POST", signal });
  await untilDone(id, signal, (job) => onStep({ kind: "train", name, job }));
}

const pathOf = (name: string) => `/models/${encodeURIComponent(name)}`;
