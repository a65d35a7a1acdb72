// Part of the benchmark: a name, a description, and rows of numbers.

/** Numbers keep their precision in JSON; people see three digits. */
export type Row = Readonly<Record<string, string | number>>;

export interface Part {
  /** To choose it by. */
  readonly name: string;
  readonly title: string;
  run(): Promise<readonly Row[]>;
}

/** A part that was run. */
export interface Result extends Omit<Part, "run"> {
  readonly rows: readonly Row[];
}

/** What a run of the benchmark leaves as JSON. */
export interface Report {
  readonly machine: Row;
  readonly results: readonly Result[];
}

/** Prints the rows for people. */
export function show(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, shorten(value)]))),
  );
}

export function shorten(value: string | number): string | number {
  if (typeof value === "string" || Number.isInteger(value)) return value;
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

/** Runs one part by itself, for `bun test/bench/<part>.ts`. */
export async function runAlone(part: Part): Promise<void> {
  show(part.title, await part.run());
}
