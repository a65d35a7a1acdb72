// READMEs of the packages: the part of docs/clients.md about a language.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../release/files.ts";
import type { Api } from "./api.ts";

/** @param language a heading of the page */
export function writeReadme({ version, operations }: Api, language: "TypeScript" | "Python"): string {
  const page = readFileSync(join(root, "docs/clients.md"), "utf8").replace(/^<!-- .* -->\n/gm, "");
  const section = page.split(/^## /m).find((part) => part.startsWith(`${language}\n`));
  if (section === undefined) throw new Error(`docs/clients.md has no section ${language}`);
  return `# Client of Torus

${language} client of Torus ${version}: ${operations.length} operations.

${section.slice(language.length).trim()}
`;
}
