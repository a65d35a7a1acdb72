// Registry of model kinds: a new kind is one folder, its name in core/model/model.ts, and one line here.
import type { ModelType } from "../core/model/model.ts";
import { createDonut, type DonutOptions } from "./donut/index.ts";
import type { ModelKind } from "./kind.ts";

export interface ModelOptions {
  readonly donut?: Partial<DonutOptions>;
}

/** The model kinds there are, by the `type` of a model. */
export function createModelKinds(options: ModelOptions = {}) {
  return { donut: createDonut(options.donut) } satisfies Record<ModelType, ModelKind>;
}

/** Steps that take a few seconds at most: where somebody waits, a network need not be the best there is. */
const QUICK_STEPS = 1500;

/** A kind that trains no longer than a request can wait. */
export function createBriefKind({ donut = {} }: ModelOptions = {}): ModelKind {
  const { epochs: _, steps = QUICK_STEPS, ...rest } = donut;
  return createDonut({ ...rest, steps: Math.min(steps, QUICK_STEPS) });
}

export type ModelKinds = ReturnType<typeof createModelKinds>;
