// Files of the packages: binary, unit, settings, man page, completions, notices, changes.
import { join, resolve } from "node:path";
import { collectNotices } from "../../src/app/licenses/notices.ts";
import { scripts } from "../../src/cli/completion/scripts.ts";
import { renderManPage } from "./man.ts";
import { manifest } from "./manifest.ts";
import { type Entry, file, gzipped } from "./tree.ts";
import { renderUnit } from "./unit.ts";

export const root = resolve(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(root, path)).text();

/**
 * Lists what both formats of packages install.
 * @param binary path of the compiled program
 * @param releasedAt seconds since the epoch
 */
export async function listFiles(binary: string, releasedAt: number): Promise<readonly Entry[]> {
  const { paths, completions } = manifest;
  const date = new Date(releasedAt * 1000).toISOString().slice(0, 10);
  return [
    { path: paths.binary, mode: 0o755, content: { copyOf: binary } },
    file(paths.settings, await read("deploy/torus.yml")),
    file(paths.unit, renderUnit(await read("deploy/torus.service"))),
    file(`${paths.doc}/copyright`, await collectNotices()),
    gzipped(`${paths.doc}/changelog.gz`, await read("CHANGELOG.md")),
    gzipped(paths.man, renderManPage(date)),
    file(completions.bash, scripts.bash),
    file(completions.zsh, scripts.zsh),
    file(completions.fish, scripts.fish),
    { path: paths.state, mode: 0o755, content: "folder" },
  ];
}
