// Creation of models: created once, given a hook, started or trained on the server; a further attempt goes on where it was.
import { Problem } from "../api/client.ts";
import { type HookSettings, putHook, tryHook } from "./hooks.ts";
import { request } from "./session.ts";

export interface Creation {
  readonly name: string;
  /** Path and body of the request that creates it. */
  readonly path: string;
  readonly body: object;
  /** Settings that it needs besides, such as those its template leaves open. */
  readonly changes?: object | undefined;
}

export interface CreationOptions {
  /** Range of a training: seconds, or a relative date; absent: live detection trains on what is stored. */
  readonly training?: { readonly from: number | string; readonly to?: number | undefined } | undefined;
  readonly isWatched: boolean;
  readonly hook?: HookSettings | undefined;
  /** Names of the models that exist already because of an earlier attempt. */
  readonly created: Set<string>;
  readonly onStep: (step: CreationStep) => void;
  /** Ends the wait for the test of the hook; requests that change something are sent all the same. */
  readonly signal: AbortSignal;
}

export interface CreationStep {
  readonly kind: "create" | "hook" | "train" | "start";
  readonly name: string;
}

/** @returns the first model whose hook was not reached. @throws Problem, or the reason of the signal */
export async function createModels(
  models: readonly Creation[],
  { created, onStep, hook, isWatched, training, signal }: CreationOptions,
): Promise<string | undefined> {
  for (const { name, path, body, changes } of models) {
    onStep({ kind: "create", name });
    if (!created.has(name)) await request(path, { method: "POST", body });
    created.add(name);
    if (changes) await request(pathOf(name), { method: "PATCH", body: changes });
    if (hook) await putHook(name, hook);
    if (isWatched) {
      onStep({ kind: "start", name });
      await request(`${pathOf(name)}/_start?detect_anomalies=true`, { method: "POST" });
    }
    if (!training) continue;
    onStep({ kind: "train", name });
    await train(name, training);
  }
  if (!hook) return undefined;
  let unreached: string | undefined;
  for (const { name } of models) {
    onStep({ kind: "hook", name });
    if (await tryHook(name, hook.name, signal)) unreached ??= name;
  }
  return unreached;
}

/** Submits a training, unless live detection has done so. */
async function train(name: string, range: NonNullable<CreationOptions["training"]>): Promise<void> {
  const { from, to } = range;
  const query = new URLSearchParams({ from: String(from), ...(to !== undefined && { to: String(to) }) });
  try {
    await request(`${pathOf(name)}/_train?${query}`, { method: "POST" });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "training_active") throw error;
  }
}

const pathOf = (name: string) => `/models/${encodeURIComponent(name)}`;
