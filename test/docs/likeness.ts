// Comparison of outputs: tolerates small differences of trained numbers between machines, not of text.

const NUMBER = /-?\d+(?:\.\d+)?/g;
/** Numbers may differ by this share, or by one. */
const SHARE = 0.35;
/** Least share of marked columns that are marked in the other chart too, there or beside. */
const MARKS = 0.5;
const CHART = /^ *[^ ]* [┤│]/;

/** Why what was printed is not what is shown; undefined where it is, as far as a training can repeat itself. */
export function findDifference(shown: string, printed: string): string | undefined {
  const [chart, printedChart] = [shown, printed].map((text) => linesOf(text).filter(isChart)) as [
    string[],
    string[],
  ];
  const rest = [shown, printed].map((text) =>
    linesOf(text)
      .filter((line) => !isChart(line))
      .join("\n"),
  );
  return compareTexts(rest[0]!, rest[1]!) ?? compareCharts(chart, printedChart);
}

const linesOf = (text: string) => text.split("\n").map((line) => line.trimEnd());
const isChart = (line: string) => CHART.test(line);

/** Words must be the same ones, in whatever order: rows of a table may change places, and a cell may be empty. */
function compareTexts(shown: string, printed: string): string | undefined {
  const [words, printedWords] = [shown, printed].map((text) =>
    (text.match(/[A-Za-z_]{2,}/g) ?? []).sort().join(" "),
  );
  if (words !== printedWords) return `words: ${words} / ${printedWords}`;
  const [numbers = [], printedNumbers = []] = [shown, printed].map((text) =>
    (text.match(NUMBER) ?? []).map(Number).sort((a, b) => a - b),
  );
  const far = numbers.findIndex((number, i) => !isNear(number, printedNumbers[i] ?? Number.NaN));
  if (far >= 0) return `number: ${numbers[far]} / ${printedNumbers[far]}`;
  return undefined;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(1, SHARE * Math.max(Math.abs(a), Math.abs(b)));
}

/** The scale may differ, where a band reaches a little further; the line is as long, and the same times are marked. */
function compareCharts(shown: readonly string[], printed: readonly string[]): string | undefined {
  const [cells, printedCells] = [countCells(shown), countCells(printed)];
  if (!isNear(cells, printedCells)) return `cells of the line: ${cells} / ${printedCells}`;
  const [marks, printedMarks] = [listMarks(shown), listMarks(printed)];
  const share = Math.min(shareNear(marks, printedMarks), shareNear(printedMarks, marks));
  return share < MARKS ? `marks of the chart: ${marks} / ${printedMarks}` : undefined;
}

const countCells = (lines: readonly string[]) => lines.join("").match(/[\u2801-\u28ff]/g)?.length ?? 0;

/** Columns that are marked. */
function listMarks(lines: readonly string[]): number[] {
  return lines.flatMap((line) => [...line.matchAll(/▀/g)].map(({ index }) => index - line.indexOf("│")));
}

function shareNear(columns: readonly number[], others: readonly number[]): number {
  if (columns.length === 0) return others.length === 0 ? 1 : 0;
  const near = columns.filter((column) => others.some((other) => Math.abs(other - column) <= 1));
  return near.length / columns.length;
}
