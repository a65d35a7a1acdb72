// Notices of the runtimes: each of their libraries with its holders, then every licence of these once.
import { bunCrates } from "./bun-crates.ts";
import { bunHashCrates } from "./bun-hash-crates.ts";
import { bunLibraries } from "./bun-libraries.ts";
import { bunLinterCrates } from "./bun-linter-crates.ts";
import { bunPolyfills } from "./bun-polyfills.ts";
import { readPackage } from "./bundled.ts";
import { onnxLibraries } from "./onnx-libraries.ts";
import { licensesIn, type Part } from "./part.ts";
import { rustStdCrates } from "./rust-std-crates.ts";
import { readStandard, type Standard } from "./standard.ts";
import { readText } from "./texts.ts";

/** Bun's page on its licence and those of its libraries; the package of Bun holds none. */
const BUN_PAGE = "node_modules/bun-types/docs/project/license.mdx";

export interface Runtime {
  readonly title: string;
  /** Folder of its npm package, from the root of the repository. */
  readonly path: string;
  readonly parts: readonly Part[];
}

const bun: Runtime = {
  title: "the runtime (MIT AND LGPL-2.0-or-later AND others)",
  path: "node_modules/bun",
  parts: [
    ...bunLibraries,
    ...bunCrates,
    ...bunHashCrates,
    ...bunLinterCrates,
    ...rustStdCrates,
    ...bunPolyfills,
  ],
};

const onnx: Runtime = {
  title: "the compute runtime (MIT AND others)",
  path: "node_modules/onnxruntime-web",
  parts: onnxLibraries,
};

export const runtimes: readonly Runtime[] = [bun, onnx];

/** Text of Bun's page as it is, its parts, and where their sources are: the LGPL asks for a way to link it anew. */
export async function describeBun(): Promise<{ readonly title: string; readonly text: string }> {
  const { version } = await readPackage(bun.path);
  const page = (await readText(BUN_PAGE))
    .replace(/^---\n(?:.*\n)+?---\n+/, "")
    // The table is padded to the width of its longest address.
    .replace(/ {2,}\||-{4,}/g, (cells) => (cells.endsWith("|") ? " |" : "---"));
  const where = [
    `Sources of Bun: https://github.com/oven-sh/bun/tree/bun-v${version}`,
    "On Debian the LGPL is in /usr/share/common-licenses/LGPL-2 and LGPL-2.1, too.",
  ];
  return {
    title: `Bun ${version}, ${bun.title}`,
    text: [page, where.join("\n"), renderParts(bun)].join("\n\n"),
  };
}

/** The files of ONNX Runtime in the program, and their parts. */
export async function describeOnnx(): Promise<{ readonly title: string; readonly text: string }> {
  const { version } = await readPackage(onnx.path);
  const files = "ort-wasm-simd-threaded.wasm and its loader, of the package onnxruntime-web.";
  return { title: `ONNX Runtime ${version}, ${onnx.title}`, text: `${files}\n\n${renderParts(onnx)}` };
}

function renderParts({ parts }: Runtime): string {
  const list = parts.map(({ name, license, url, copyright, note = [] }) =>
    [`${name} (${license})`, url, ...copyright, note].flat().join("\n  "),
  );
  return ["Parts; the text of each licence follows below:", ...list].join("\n\n");
}

/**
 * Reads each licence of the parts once, by name.
 * @throws Error naming the licences without a standard text
 */
export async function readPartLicenses(parts: readonly Part[]): Promise<readonly Standard[]> {
  const ids = [...new Set(parts.flatMap(({ license }) => licensesIn(license)))].sort();
  const found = await Promise.all(ids.map(readStandard));
  const missing = ids.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) throw new Error(`no standard text for ${missing.join(", ")}`);
  return found.map((one) => one!);
}
