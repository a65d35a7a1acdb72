// Evaluation of capacity without a server: dates of generated fills by kind, and false alarms beside `predict_linear`.
import { renderTable } from "../table.ts";
import { type Composition, composeFills } from "./compositions.ts";
import { type Fill, kinds, makeFills } from "./fills.ts";
import { judgeAlarms, judgeComposition, judgeFill, type Verdict, windows } from "./judge.ts";

/** Fills of a seed; of every kind the same number. */
const FILLS = 210;
/** Fills of a seed in which alarms are counted: of five minutes and of an hour. */
const ALARM_FILLS = 70;
/** Compositions of a seed. */
const COMPOSITIONS = 200;

export interface CapacityPlan {
  readonly seeds: readonly number[];
  readonly onProgress: (text: string) => void;
}

/** @returns the report */
export function evaluateCapacity({ seeds, onProgress }: CapacityPlan): string {
  const fills = seeds.flatMap((seed) => makeFills(FILLS, seed));
  const verdicts = fills.map(judgeFill);
  onProgress(`${verdicts.length} fills`);
  const composed = seeds.flatMap((seed) => composeFills(COMPOSITIONS, seed)).map(judgeComposition);
  onProgress(`${composed.length} compositions`);
  const some = seeds.flatMap((seed) => makeFills(ALARM_FILLS, seed).filter(isFine));
  const alarms = renderAlarms(some);
  return [
    `## Capacity\n\nseeds ${seeds.join(", ")}`,
    renderVerdicts(verdicts),
    renderCompositions(composed),
    alarms,
  ].join("\n\n");
}

/** Whether an hour has two values. */
const isFine = ({ intervalMs }: Fill): boolean => intervalMs < 1_800_000;

function renderVerdicts(verdicts: readonly Verdict[]): string {
  const rows = kinds.map((kind) =>
    rowOf(
      kind,
      verdicts.filter(({ fill }) => fill.kind === kind),
    ),
  );
  const rising = verdicts.filter(({ fill }) => fill.lead !== undefined);
  return renderTable(["fills", ...head], [...rows, rowOf("all that rise", rising)]);
}

function renderCompositions(verdicts: readonly Verdict<Composition>[]): string {
  const [growing, others] = [true, false].map((grows) =>
    verdicts.filter(({ fill }) => (fill.lead !== undefined) === grows),
  );
  const rows = [rowOf("growing", growing!), rowOf("others", others!)];
  return renderTable(["compositions", ...head], rows);
}

const head = ["number", "dates", "right", "right of dates", "band holds"];

const share = (part: number, whole: number) => (whole > 0 ? (part / whole).toFixed(3) : "-");

function rowOf(name: string, verdicts: readonly Omit<Verdict, "fill">[]): string[] {
  const named = verdicts.filter(({ isNamed }) => isNamed);
  const right = verdicts.filter(({ isRight }) => isRight).length;
  const rightDates = named.filter(({ isRight }) => isRight).length;
  const banded = verdicts.filter(({ isHeld }) => isHeld !== undefined);
  return [
    ...[name, String(verdicts.length), String(named.length), share(right, verdicts.length)],
    share(rightDates, named.length),
    share(banded.filter(({ isHeld }) => isHeld).length, banded.length),
  ];
}

function renderAlarms(fills: readonly Fill[]): string {
  const counts = fills.map(judgeAlarms);
  const names = ["capacity", ...(Object.keys(windows) as (keyof typeof windows)[])] as const;
  const rows = names.map((name) => {
    const sum = (key: "due" | "found" | "false") => counts.reduce((total, by) => total + by[name][key], 0);
    const title = name === "capacity" ? name : `predict_linear over ${name}`;
    return [title, `${sum("found")} of ${sum("due")}`, String(sum("false"))];
  });
  return `Full within two days, asked 20 times over each of ${fills.length} fills of five minutes:\n\n${renderTable(["alarms", "found", "false"], rows)}`;
}
