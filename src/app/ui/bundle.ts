// Bundle of the dashboard: scripts and styles named by their content, compressed once.
import { join, resolve } from "node:path";
import type { BuildConfig } from "bun";
import { splitEnglish } from "./texts.ts";

const root = resolve(import.meta.dir, "../../..");
const entry = join(root, "src/ui/main.tsx");
const screens = join(root, "src/ui/styles/screens.css");
const template = join(root, "src/ui/index.html");

/** Name of the page among the files. */
export const PAGE = "index.html";

interface BundledFile {
  readonly name: string;
  /** Compressed by gzip. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Input and options of the bundler. */
export const uiBuild = {
  entrypoints: [entry, screens],
  root,
  target: "browser",
  format: "esm",
  splitting: true,
  minify: true,
  plugins: [splitEnglish],
  // Calls of the development runtime carry the place of each element.
  jsx: { runtime: "automatic", importSource: "preact", development: false },
  naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
} satisfies BuildConfig;

/** Bundles the sources. @throws AggregateError with the messages of the bundler */
export async function bundleUi(): Promise<readonly BundledFile[]> {
  const { outputs } = await Bun.build(uiBuild);
  const files = await Promise.all(
    outputs.map(async (output) => ({
      name: output.path.replace(/^\.?\//, ""),
      kind: output.kind,
      text: await output.text(),
    })),
  );
  // The bundler returns them in any order.
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  const named = (start: string, ending: string) =>
    files.find(({ name, kind }) => name.startsWith(start) && name.endsWith(ending) && kind !== "chunk")
      ?.name ?? "";
  const page = (await Bun.file(template).text())
    .replace("main.css", named("main-", ".css"))
    .replace("screens.css", named("screens-", ".css"))
    .replace("main.js", named("main-", ".js"));
  return [{ name: PAGE, text: page }, ...files].map(({ name, text }) => ({
    name,
    bytes: Bun.gzipSync(Buffer.from(text), { library: "libdeflate", level: 12 }),
  }));
}
