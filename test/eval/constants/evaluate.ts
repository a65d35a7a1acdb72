// Evaluation of the constants: every alternative on every set, and what each set left out would get.
import { detectionRules } from "../../../src/models/detectors/rules.ts";
import type { Series } from "../series.ts";
import { renderTable } from "../table.ts";
import { type Option, renderConstant } from "./choice.ts";
import { constantNames, rulesFor } from "./options.ts";
import { type Prepared, prepareAll } from "./prepared.ts";
import { measureQuality, type SetQuality } from "./quality.ts";

interface ConstantsPlan {
  readonly series: readonly Series[];
  readonly seeds: readonly number[];
  readonly workers: number;
  /** Part of the name of the constants; absent: all. */
  readonly only?: string | undefined;
  readonly onProgress: (text: string) => void;
}

/** Report of the constants, in Markdown. @throws Error for an unknown constant */
export async function evaluateConstants(plan: ConstantsPlan): Promise<string> {
  const { series, seeds, workers, only, onProgress } = plan;
  const names = constantNames.filter((name) => only === undefined || name.includes(only));
  if (names.length === 0)
    throw new Error(`no constant has a name that holds ${only}: ${constantNames.join(", ")}`);
  const prepared: Prepared[] = [];
  for (const seed of seeds) prepared.push(...(await prepareAll(series, { seed, workers, onProgress })));
  const inUse = measureQuality(prepared, detectionRules);
  const tables = names.map((name) => {
    const options = rulesFor(name).map(({ value, rules }, i): Option => {
      onProgress(`${name} ${value}`);
      return { value, quality: i === 0 ? inUse : measureQuality(prepared, rules) };
    });
    return renderConstant(name, options);
  });
  return ["## Constants of detection", renderInUse(inUse), ...tables].join("\n\n");
}

function renderInUse(quality: readonly SetQuality[]): string {
  const rows = quality.map(({ set, ranking, recall, precision, f1, falseAWeek }) => [
    set,
    ...[ranking, recall, precision, f1].map((value) => value.toFixed(3)),
    falseAWeek.toFixed(2),
  ]);
  return renderTable(["set", "ranking", "recall", "precision", "F1", "false a week"], rows);
}
