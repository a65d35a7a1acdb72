// Bundler plugin for the English texts: one source file, of which the first page loads its own part alone.
import { dirname } from "node:path";
import type { BunPlugin } from "bun";

const ENGLISH = /\/texts\/en\.ts$/;
/** Of the modules made here; the name of the first is that of its file. */
const NAMESPACE = "english";
const SCREENS = "en-screens";
const COPY = "en-copy";

/**
 * A dynamic import of the English texts loads those of the screens: from a second copy of the module, as all imports of
 * one module share a chunk. Tree shaking leaves each copy what is used of it.
 */
export const splitEnglish: BunPlugin = {
  name: "split-english",
  setup(build) {
    let source = "";
    build.onResolve({ filter: ENGLISH }, ({ kind, path, importer }) => {
      if (kind !== "dynamic-import") return undefined;
      source = Bun.resolveSync(path, dirname(importer));
      return { path: SCREENS, namespace: NAMESPACE };
    });
    build.onResolve({ filter: /^en-copy$/ }, () => ({ path: COPY, namespace: NAMESPACE }));
    build.onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path }) => ({
      contents: path === COPY ? await Bun.file(source).text() : `export { enScreens } from "${COPY}";`,
      loader: "ts",
    }));
  },
};
