// Archive of the documentation: its site in a folder, to be read without a network.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSite } from "../site/index.ts";
import { packLayer } from "./layer.ts";
import { manifest } from "./manifest.ts";
import { file, gzip, type PackageInput } from "./tree.ts";

/** Writes the archive into a folder. @returns its path */
export async function writeDocs({
  releasedAt,
  out,
}: Pick<PackageInput, "releasedAt" | "out">): Promise<string> {
  const folder = `${manifest.name}-docs-${manifest.version}`;
  const entries = (await buildSite()).map(({ name, bytes }) => file(`/${folder}/${name}`, bytes));
  const path = join(out, `${folder}.tar.gz`);
  writeFileSync(path, gzip(packLayer(entries, releasedAt)));
  return path;
}
