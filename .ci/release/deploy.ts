// Archive of the folders of deploy/ that are used without the sources: overlays, role, add-on.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.ts";
import { packLayer } from "./layer.ts";
import { manifest } from "./manifest.ts";
import { type Entry, file, gzip, type PackageInput } from "./tree.ts";

const folders = ["ansible", "home-assistant", "kubernetes"];

/** Writes the archive into a folder. @returns its path */
export function writeDeploy({ releasedAt, out }: Pick<PackageInput, "releasedAt" | "out">): string {
  const folder = `${manifest.name}-deploy-${manifest.version}`;
  const entries = folders.flatMap((name) => listEntries(`/${folder}/${name}`, join(root, "deploy", name)));
  const path = join(out, `${folder}.tar.gz`);
  writeFileSync(path, gzip(packLayer(entries, releasedAt)));
  return path;
}

/** Files of a folder and those below, links as what they lead to. */
function listEntries(path: string, source: string): Entry[] {
  const names = readdirSync(source, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => statSync(join(source, name)).isFile())
    .map((name) => file(`${path}/${name}`, readFileSync(join(source, name))));
}
