// Fields of a CSV file: columns of numbers, each in a style, and of words for two states.
import { chooseStyles, type NumberStudy, type NumberStyle, plainStyle } from "./numbers.ts";
import type { CsvOptions, FlagNames } from "./options.ts";
import type { SampledColumn } from "./times/sampled.ts";
import { quote, refuse } from "./words/refusal.ts";
import type { States } from "./words/states.ts";

export interface FieldColumn {
  readonly name: string;
  readonly index: number;
  readonly style: NumberStyle;
  /** Currency, percent or unit of each cell; empty: none. */
  readonly unit: string;
  /** Whether no number of the sample has a separator. */
  readonly isWhole?: boolean;
  /** Words for 1 and 0. */
  readonly states?: States;
  /** Whether there are numbers beside the words. */
  readonly isMixed?: boolean;
}

export interface Numbers {
  readonly column: SampledColumn;
  readonly study: NumberStudy;
  /** Words for 1 and 0 of other series in the column. */
  readonly states?: States | undefined;
}

export interface TwoStates {
  readonly column: SampledColumn;
  readonly states: States;
}

interface Valued {
  readonly numbers: readonly Numbers[];
  readonly states: readonly TwoStates[];
}

/**
 * In the order of the file.
 * @param isPointUsual whether a point is a decimal one where all numbers have three digits behind it
 * @throws TorusError `invalid` for numbers that can be read in two ways
 */
export function toFields(
  { numbers, states }: Valued,
  options: CsvOptions,
  isPointUsual: boolean,
): readonly FieldColumn[] {
  const studies = numbers.map(({ study }) => study);
  const found = chooseStyles(studies, options, isPointUsual);
  if (found.unclear !== undefined) throw unclear(numbers[found.unclear]!, found.styles, options.flags);
  const fieldOf = ({ name, index }: SampledColumn) => ({
    name: /^(time|timestamp|tags|__proto__)$/.test(name) ? `${name}_value` : name,
    index,
  });
  return [
    ...numbers.map(({ column, study, states }, i) => ({
      ...fieldOf(column),
      style: found.styles[i]!,
      unit: study.unit,
      isWhole: study.example === undefined,
      ...(states && { states, isMixed: true }),
    })),
    ...states.map(({ column, states }) => ({ ...fieldOf(column), style: plainStyle, unit: "", states })),
  ].sort((a, b) => a.index - b.index);
}

function unclear({ column, study }: Numbers, styles: readonly NumberStyle[], flags: FlagNames) {
  const example = quote(study.example ?? column.cells[0]!);
  const ways = styles.map(({ decimal, thousands }) => {
    return `${flags.decimal} ${decimal}${thousands && ` ${flags.thousands} '${thousands}'`}`;
  });
  if (ways.length > 1) return refuse(flags.decimal, "twoReadings", column.name, example, ways);
  return refuse(flags.decimal, "otherWay", column.name, example, flags.thousands, flags.columns);
}
