// Parameters of a training, a forecast or an evaluation, beside its range.
import { invalid } from "../../core/errors.ts";
import { parseBoolean, parseInteger, parseNumber } from "../../core/input/value.ts";
import type { Constraint, TrainJob } from "../../jobs/queue/input.ts";
import { given, type Params } from "../shared/range.ts";

const DEFAULT_LEVEL = 0.68;
const MAX_LEVELS = 10;
const MAX_NAME = 256;
const MAX_EPOCHS = 100_000;
const MAX_SEED = 2 ** 32 - 1;

/** A boolean parameter; absent = false. @throws TorusError `invalid` */
export function parseFlag(params: Params, key: string): boolean {
  const value = given(params, key);
  return value === undefined ? false : parseBoolean(value, key);
}

/** A name; absent = undefined. @throws TorusError `invalid` */
export function parseName(params: Params, key: string): string | undefined {
  const value = given(params, key);
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.length > MAX_NAME)
    throw invalid(key, `must be a name of at most ${MAX_NAME} characters`);
  return value;
}

/** `max_evals`, `epochs` and `seed` of a training. @throws TorusError `invalid` */
export function parseOverrides(params: Params): Omit<TrainJob["overrides"], "continueFrom"> {
  const integer = (key: string, max: number, min = 1) => {
    const value = given(params, key);
    return value === undefined ? undefined : parseInteger(value, key, { min, max });
  };
  const maxEvals = integer("max_evals", 1000);
  const epochs = integer("epochs", MAX_EPOCHS);
  const seed = integer("seed", MAX_SEED, 0);
  return {
    ...(maxEvals !== undefined && { maxEvals }),
    ...(epochs !== undefined && { epochs }),
    ...(seed !== undefined && { seed }),
  };
}

/** `p_val`: confidence of the interval, between 0 and 1. @throws TorusError `invalid` */
export function parseLevel(params: Params): number {
  const value = given(params, "p_val");
  if (value === undefined) return DEFAULT_LEVEL;
  const level = parseNumber(value, "p_val");
  if (level <= 0 || level >= 1) throw invalid("p_val", "must be between 0 and 1, as in 0.95");
  return level;
}

/** `level=80;95`, also a number or an array of them, in percent. @returns shares. @throws TorusError `invalid` */
export function parseLevels(params: Params): number[] {
  const value = given(params, "level");
  if (value === undefined) return [];
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(";") : [value];
  if (list.length > MAX_LEVELS) throw invalid("level", `must be at most ${MAX_LEVELS} levels`);
  const percents = list.map((item) => {
    const percent = parseNumber(item, "level");
    if (percent <= 0 || percent >= 100) throw invalid("level", "must be between 0 and 100, as in 80;95");
    return percent;
  });
  return [...new Set(percents)].map((percent) => percent / 100);
}

/** `constraint=<feature>:low|high:<number>`. @throws TorusError `invalid` */
export function parseConstraint(params: Params, features: readonly string[]): Constraint | undefined {
  const value = given(params, "constraint");
  if (value === undefined) return undefined;
  const [feature, type, threshold, ...rest] = typeof value === "string" ? value.split(":") : [];
  if (
    feature === undefined ||
    (type !== "low" && type !== "high") ||
    threshold === undefined ||
    rest.length > 0
  )
    throw invalid("constraint", "must be <feature>:low:<number> or <feature>:high:<number>");
  if (!features.includes(feature))
    throw invalid("constraint", `names no feature of the model; it has ${features.join(", ")}`);
  return { feature, type, threshold: parseNumber(threshold, "constraint") };
}
