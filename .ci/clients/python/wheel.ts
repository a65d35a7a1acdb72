// Wheel of the Python client (binary distribution format 1.0): the module, its metadata, and hashes of all files.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../release/files.ts";
import { manifest } from "../../release/manifest.ts";
import type { Api } from "../api.ts";
import { writeReadme } from "../readme.ts";
import type { Target } from "../target.ts";
import { packZip } from "../zip.ts";
import { writeModule } from "./module.ts";

const NAME = "torus_client";

/** Packs the client. @returns path of the .whl */
export async function packWheel(
  api: Api,
  { out, releasedAt }: Pick<Target, "out" | "releasedAt">,
): Promise<string> {
  const info = `${NAME}-${api.version}.dist-info`;
  const files = Object.entries({
    [`${NAME}.py`]: writeModule(api),
    [`${info}/licenses/LICENSE`]: readFileSync(join(root, "LICENSE"), "utf8"),
    [`${info}/METADATA`]: writeMetadata(api),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: torus\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  }).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const record = `${info}/RECORD`;
  const lines = [...files.map(recordLine), `${record},,`];
  const entries = [...files, { name: record, bytes: Buffer.from(`${lines.join("\n")}\n`) }];
  const path = join(out, `${NAME}-${api.version}-py3-none-any.whl`);
  await Bun.write(path, packZip(entries, releasedAt));
  return path;
}

function recordLine({ name, bytes }: { readonly name: string; readonly bytes: Buffer }): string {
  const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
  return `${name},sha256=${digest},${bytes.length}`;
}

/** Core metadata 2.4. */
function writeMetadata(api: Api): string {
  return `Metadata-Version: 2.4
Name: torus-client
Version: ${api.version}
Summary: Client of Torus: ${manifest.summary.toLowerCase()}
License-Expression: ${manifest.license}
License-File: LICENSE
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

${writeReadme(api, "Python")}`;
}
