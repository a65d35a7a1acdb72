// Check of presets: their shape, and that each of their models is valid.
import { invalid, TorusError } from "../../core/errors.ts";
import { check } from "../../core/input/schema.ts";
import { ModelSettings } from "../../core/model/model.ts";
import { checkModelRules } from "../../core/model/rules.ts";
import { planModels } from "./plan.ts";
import { Preset, type PresetModel } from "./preset.ts";

const example = { bucket: "bucket", interval: undefined, offset: "1m", prefix: "", isPerHost: () => false };

/** @throws TorusError `invalid` naming the field and its rule */
export function checkPreset(value: unknown): Preset {
  const preset = check(Preset, value);
  const names = preset.models.map(({ name }) => name);
  for (const [index, model] of preset.models.entries()) {
    const path = `models.${index}`;
    if (names.indexOf(model.name) < index)
      throw invalid(`${path}.name`, "must be unique: another model of the preset has this name");
    checkSource(preset, model, path);
    checkSettings(preset, model, path);
  }
  return preset;
}

function checkSource({ bucket_type }: Preset, model: PresetModel, path: string): void {
  if (!model.query) {
    if (model.metric === undefined) throw invalid(`${path}.metric`, "is required without query");
    return;
  }
  for (const key of ["metric", "match", "per", "group_by"] as const)
    if (model[key] !== undefined)
      throw invalid(`${path}.${key}`, "must be absent beside query, which says what is read");
  if (bucket_type === undefined)
    throw invalid("bucket_type", "is required, as a model has a query: the type of the buckets it is for");
}

/** Checks the settings that a model would have. */
function checkSettings(preset: Preset, model: PresetModel, path: string): void {
  const found = { row: model, hosts: ["host"], parts: model.per ? ["part"] : [] };
  try {
    for (const planned of planModels(preset, [found], example))
      checkModelRules(check(ModelSettings, { ...planned }));
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    throw invalid(path, error.message);
  }
}
