// Tables of the forecast evaluation: recipes by kind with what is wrong, and open series by group.
import { renderTable } from "../table.ts";
import type { Verdict } from "./judge.ts";
import { type OpenResult, TORUS } from "./open-forecasts.ts";
import { peerNames } from "./peers.ts";
import { meanOf } from "./recipes/recipe.ts";

/** A verdict and the seed of its recipe. */
export interface Judged extends Verdict {
  readonly seed: number;
}

const forecasters = [TORUS, ...peerNames];

export function renderRecipes(title: string, judged: readonly Judged[]): string {
  const byKind = Map.groupBy(judged, ({ recipe }) => recipe.kind);
  const isRight = ({ reason }: Judged) => reason === undefined;
  const rows = [...byKind].map(([kind, all]) => [
    kind,
    String(all.filter(isRight).length),
    String(all.length),
  ]);
  const total = ["**all**", String(judged.filter(isRight).length), String(judged.length)];
  const wrong = judged
    .filter((one) => !isRight(one))
    .map(({ recipe, seed, reason }) => `- ${recipe.kind}: ${recipe.name}, seed ${seed}: ${reason}`);
  const table = renderTable(["kind", "right", "of"], [...rows, total]);
  return [`### ${title}\n\n${table}`, ...(wrong.length > 0 ? [wrong.join("\n")] : [])].join("\n\n");
}

export function renderOpen(results: readonly OpenResult[]): string {
  const groups = Map.groupBy(results, ({ group }) => group);
  const head = [...forecasters, "held, %"];
  const byGroup = [...groups].map(([group, members]) => [
    group,
    ...forecasters.map((name) => formatNumber(meanOf(members.map(({ mase }) => mase[name]!)))),
    formatShare(meanOf(members.map(({ held }) => held))),
  ]);
  const bySeries = results.map(({ series, origins, mase, held }) => [
    series,
    String(origins),
    ...forecasters.map((name) => formatNumber(mase[name]!)),
    formatShare(held),
  ]);
  const refused = results
    .filter(({ refused: reason }) => reason !== undefined)
    .map(({ series, refused: reason }) => `- ${series}: refused: ${reason}`);
  return [
    "### Open series\n\nMASE by group, and the share that the 90 % band holds:",
    renderTable(["group", ...head], byGroup),
    renderTable(["series", "origins", ...head], bySeries),
    ...(refused.length > 0 ? [refused.join("\n")] : []),
  ].join("\n\n");
}

function formatNumber(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : "-";
}

function formatShare(share: number): string {
  return Number.isFinite(share) ? (100 * share).toFixed(0) : "-";
}
