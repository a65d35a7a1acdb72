// Choice of a constant by leaving one set out: the option that the other sets choose, and its worth on the one left out.
import { renderTable } from "../table.ts";
import type { SetQuality } from "./quality.ts";

/** One value of a constant. */
export interface Option {
  readonly value: number;
  readonly quality: readonly SetQuality[];
}

export interface Choice {
  readonly set: string;
  /** The value that the set alone would choose. */
  readonly own: number;
  /** The value that all other sets together would choose, and what the set makes of it. */
  readonly byOthers: number;
  readonly worth: number;
}

/**
 * Worth of an option for a set, relative to the value in use: mean of the ratios of ranking and event F1; 1 = equal.
 * @throws Error if the set is not part of both
 */
export function worthOf(set: string, option: Option, inUse: Option): number {
  const [own, base] = [option, inUse].map(({ quality }) => quality.find((entry) => entry.set === set));
  if (!own || !base) throw new Error(`the set ${set} was not measured`);
  return (ratio(own.ranking, base.ranking) + ratio(own.f1, base.f1)) / 2;
}

/** @param options the value in use comes first: it wins where others are equal */
export function chooseByOthers(options: readonly Option[]): Choice[] {
  const [inUse] = options;
  const sets = inUse!.quality.map(({ set }) => set);
  const best = (judges: readonly string[]) => {
    const mean = (option: Option) =>
      judges.reduce((sum, set) => sum + worthOf(set, option, inUse!) / judges.length, 0);
    return options.reduce((least, option) => (mean(option) > mean(least) ? option : least), inUse!);
  };
  return sets.map((set) => {
    const others = sets.filter((other) => other !== set);
    const byOthers = others.length > 0 ? best(others) : inUse!;
    return {
      set,
      own: best([set]).value,
      byOthers: byOthers.value,
      worth: worthOf(set, byOthers, inUse!),
    };
  });
}

/** Tables of one constant: worth by value and set, and the choices. */
export function renderConstant(name: string, options: readonly Option[]): string {
  const [inUse] = options;
  const sets = inUse!.quality.map(({ set }) => set);
  const ascending = options.toSorted((a, b) => a.value - b.value);
  const rows = ascending.map((option) => [
    `${option.value}${option === inUse ? " (in use)" : ""}`,
    ...sets.map((set) => {
      const { ranking, f1, falseAWeek } = option.quality.find((entry) => entry.set === set)!;
      const worth = worthOf(set, option, inUse!).toFixed(3);
      return `${worth} (${ranking.toFixed(3)}, F1 ${f1.toFixed(3)}, ${falseAWeek.toFixed(2)} a week)`;
    }),
  ]);
  const choices = chooseByOthers(options).map(({ set, own, byOthers, worth }) => [
    set,
    String(own),
    String(byOthers),
    worth.toFixed(3),
  ]);
  return [
    `### ${name}`,
    renderTable([name, ...sets], rows),
    renderTable(["set left out", "its own choice", "choice of the others", "worth of that"], choices),
  ].join("\n\n");
}

function ratio(value: number, base: number): number {
  if (base === 0) return value === 0 ? 1 : 2;
  return value / base;
}
