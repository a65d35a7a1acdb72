// Command `npm run site`: the documentation as a static site in dist/site.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./site/documents.ts";
import { buildSite, writeSite } from "./site/index.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = values.out ?? join(root, "dist/site");
try {
  const files = await buildSite();
  if (values.out === undefined) rmSync(out, { recursive: true, force: true });
  writeSite(files, out);
  process.stdout.write(`${files.length} files in ${out}\n`);
} catch (error) {
  process.stderr.write(`site: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
