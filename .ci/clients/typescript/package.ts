// Package of the TypeScript client: modules written and compiled, in a .tgz as npm packs it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../release/files.ts";
import { packLayer } from "../../release/layer.ts";
import { manifest } from "../../release/manifest.ts";
import { runTool } from "../../release/tools.ts";
import { file, gzip } from "../../release/tree.ts";
import type { Api } from "../api.ts";
import { writeReadme } from "../readme.ts";
import type { Target } from "../target.ts";
import { writeClass } from "./methods.ts";
import { writeTypes } from "./types.ts";

const NAME = "torus-client";
const fixed = ["errors", "event-stream", "pages", "retries", "transport"];
const compilerOptions = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  declaration: true,
  rootDir: "src",
  outDir: "dist",
};

/** Sources by path within the package. */
export function writeSources(api: Api): Readonly<Record<string, string>> {
  const runtime = fixed.map((name): [string, string] => [
    `src/${name}.ts`,
    readFileSync(join(import.meta.dir, `runtime/${name}.ts`), "utf8").replace(
      /(from "\.\/[\w-]+)\.ts"/g,
      '$1.js"',
    ),
  ]);
  return {
    ...Object.fromEntries(runtime),
    "src/facts.ts": writeFacts(api),
    "src/types.ts": writeTypes(api),
    "src/client.ts": writeClass(api),
    "src/index.ts": `// Client of Torus ${api.version}.
export * from "./client.js";
export { type ErrorCode, type ProblemDetails, TorusError } from "./errors.js";
export { version } from "./facts.js";
export { type Page, pages } from "./pages.js";
export type { CallOptions, Names, TorusOptions } from "./transport.js";
export type * from "./types.js";
`,
    "package.json": `${JSON.stringify(describePackage(api), null, 2)}\n`,
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
    "README.md": writeReadme(api, "TypeScript"),
    LICENSE: readFileSync(join(root, "LICENSE"), "utf8"),
  };
}

function writeFacts({ version, codes }: Api): string {
  return `// Version of the API and codes of its errors.
export const version: string = ${JSON.stringify(version)};
export const errorCodes = ${JSON.stringify(codes, null, 2)} as const;
`;
}

function describePackage({ version }: Api): object {
  return {
    name: NAME,
    version,
    description: `Client of Torus: ${manifest.summary.toLowerCase()}`,
    license: manifest.license,
    type: "module",
    engines: { node: ">=20" },
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    sideEffects: false,
  };
}

/**
 * Writes the sources into a folder and compiles them there.
 * @param more further modules by path
 * @throws Error with what the compiler said
 */
export async function compileSources(
  api: Api,
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  mkdirSync(join(folder, "src"), { recursive: true });
  for (const [path, text] of Object.entries({ ...writeSources(api), ...more }))
    writeFileSync(join(folder, path), text);
  await runTool([join(root, "node_modules/.bin/tsc"), "-p", folder], { releasedAt: 0 });
}

/** Packs the client. @returns path of the .tgz */
export async function packTypescript(api: Api, { out, work, releasedAt }: Target): Promise<string> {
  const folder = join(work, "typescript");
  await compileSources(api, folder);
  const compiled = readdirSync(join(folder, "dist")).map((name) => `dist/${name}`);
  const entries = ["package.json", "README.md", "LICENSE", ...compiled].map((path) =>
    file(`/package/${path}`, readFileSync(join(folder, path))),
  );
  const path = join(out, `${NAME}-${api.version}.tgz`);
  await Bun.write(path, gzip(packLayer(entries, releasedAt)));
  return path;
}
