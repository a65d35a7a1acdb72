// Packages in the program: those the bundler reads for the server, the worker and the dashboard.
import { join, relative, resolve } from "node:path";
import { uiBuild } from "../ui/bundle.ts";

const root = resolve(import.meta.dir, "../../..");
const FOLDER = "node_modules/";

/** Entry points of the program; a worker is found at run time by the path of its own. */
export const entryPoints: readonly string[] = [join(root, "src/main.ts"), join(root, "wasm/worker.ts")];

/** Packages that the program is without: the framework tells kinds of uploaded files by it, and no route takes any. */
export const leftOut: readonly string[] = ["file-type"];

/** A package of the npm registry. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Folder it is installed in, from the root of the repository. */
  readonly path: string;
}

/** Lists the packages by name, then path. @throws AggregateError with the messages of the bundler */
export async function listBundled(): Promise<readonly BundledPackage[]> {
  const builds = await Promise.all([
    Bun.build({
      ...{ entrypoints: [...entryPoints], root, target: "bun", metafile: true },
      external: [...leftOut],
    }),
    Bun.build({ ...uiBuild, metafile: true }),
  ]);
  const files = builds.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  // The bundler names them from the current folder.
  const paths = new Set(files.flatMap((file) => packagePathOf(relative(root, resolve(file))) ?? []));
  const packages = await Promise.all([...paths].map(readPackage));
  return packages.sort((a, b) => (a.name === b.name ? (a.path < b.path ? -1 : 1) : a.name < b.name ? -1 : 1));
}

/** Folder of the package that holds a file; undefined for files of this repository. */
export function packagePathOf(file: string): string | undefined {
  const at = file.lastIndexOf(FOLDER);
  if (at < 0) return undefined;
  const [first = "", second = ""] = file.slice(at + FOLDER.length).split("/");
  return file.slice(0, at + FOLDER.length) + (first.startsWith("@") ? `${first}/${second}` : first);
}

/** Reads the manifest of an installed package. */
export async function readPackage(path: string): Promise<BundledPackage> {
  const { name, version, license } = (await Bun.file(
    join(root, path, "package.json"),
  ).json()) as BundledPackage;
  return { name, version, license, path };
}
