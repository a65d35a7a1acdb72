// Parts of the compiled program with a ceiling each, so that growth is a decision.
import { rmSync, statSync, writeFileSync } from "node:fs";

const MB = 1e6;

/** Ceilings in MB (10^6 bytes), from the largest to the smallest part. */
export const parts = {
  runtime: { ceilingMb: 110, what: "Bun, with its JavaScript engine" },
  bytecode: {
    ceilingMb: 23.5,
    what: "the scripts, compiled: the first answer comes after 0.11 s instead of 0.25 s",
  },
  compute: { ceilingMb: 14.5, what: "ONNX Runtime (WebAssembly)" },
  scripts: {
    ceilingMb: 8.8,
    what: "server, command line and the packages they use, for stack traces and rare code",
  },
  embedded: { ceilingMb: 0.3, what: "dashboard and licence texts, compressed" },
} as const;

export type Part = keyof typeof parts;
export type Sizes = Readonly<Record<Part, number>>;

export interface Measured {
  /** Path of the compiled program. */
  readonly program: string;
  /** Paths of the files embedded as they are, in the bundler's own list. */
  readonly metafile: Bun.BuildMetafile;
  readonly embedded: readonly string[];
  /** Compiles a script for the same target. */
  readonly compile: (entry: string, outfile: string) => Promise<unknown>;
}

/** Bytes of each part: an empty program is the runtime alone, bytecode what the others leave. */
export async function measureParts({ program, metafile, embedded, compile }: Measured): Promise<Sizes> {
  const [entry, outfile] = [`${program}.empty.js`, `${program}.empty`];
  writeFileSync(entry, "export {};\n");
  await compile(entry, outfile);
  const runtime = sizeOf(outfile);
  for (const path of [entry, outfile]) rmSync(path);
  const files = Object.keys(metafile.inputs);
  const sizes = {
    runtime,
    compute: sum(files.filter((path) => path.endsWith(".wasm")).map(sizeOf)),
    scripts: sum(Object.values(metafile.outputs).map(({ bytes }) => bytes)),
    embedded: sum(embedded.map(sizeOf)),
  };
  return { ...sizes, bytecode: sizeOf(program) - sum(Object.values(sizes)) };
}

/** As in `runtime 109.2, bytecode 22.5` MB. */
export function renderSizes(sizes: Sizes): string {
  const names = Object.keys(parts) as Part[];
  return names.map((name) => `${name} ${(sizes[name] / MB).toFixed(1)}`).join(", ");
}

/** @throws Error naming the parts above their ceiling */
export function checkSizes(sizes: Sizes): void {
  const over = (Object.keys(parts) as Part[]).filter((name) => sizes[name] > parts[name].ceilingMb * MB);
  if (over.length === 0) return;
  const texts = over.map((name) => `${name} ${(sizes[name] / MB).toFixed(2)} MB of ${parts[name].ceilingMb}`);
  throw new Error(`parts above their ceiling in .ci/parts.ts: ${texts.join(", ")}`);
}

const sizeOf = (path: string) => statSync(path).size;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
