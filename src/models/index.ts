// Registry of model kinds: a new kind is one folder and one line here.
import { createDonut, type DonutOptions } from "./donut/index.ts";
import type { ModelKind } from "./kind.ts";

export interface ModelOptions {
  readonly donut?: Partial<DonutOptions>;
}

export function createModelKinds(options: ModelOptions = {}) {
  return { donut: createDonut(options.donut) } satisfies Record<string, ModelKind>;
}

export type ModelKinds = ReturnType<typeof createModelKinds>;
