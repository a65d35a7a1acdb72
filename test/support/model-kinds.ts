// Model kinds for tests: one that stands for every type there is.
import { type ModelType, modelTypes } from "../../src/core/model/model.ts";
import type { ModelKind } from "../../src/models/kind.ts";

/** The same kind under each name. */
export function everyKind(kind: ModelKind): Readonly<Record<ModelType, ModelKind>> {
  return Object.fromEntries(modelTypes.map((type) => [type, kind])) as Record<ModelType, ModelKind>;
}
