// Registry of model kinds: a new kind is a folder, a name in core/model/model.ts, and a line here.
import type { ModelType } from "../core/model/model.ts";
import { createDonut, type DonutOptions } from "./donut/index.ts";
import type { ModelKind } from "./kind.ts";

interface ModelOptions {
  readonly donut?: Partial<DonutOptions>;
}

/** The model kinds by the `type` of a model. */
export function createModelKinds(options: ModelOptions = {}) {
  return { donut: createDonut(options.donut) } satisfies Record<ModelType, ModelKind>;
}

/** Optimiser steps of a training within a request. */
const QUICK_STEPS = 1500;

/** A kind whose trainings are short enough for a request to wait for them. */
export function createQuickTrainer({ donut = {} }: ModelOptions = {}): ModelKind {
  const { epochs: _, steps = QUICK_STEPS, ...rest } = donut;
  return createDonut({ ...rest, steps: Math.min(steps, QUICK_STEPS) });
}

export type ModelKinds = ReturnType<typeof createModelKinds>;
