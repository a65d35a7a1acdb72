// Reads the files of `torus apply`: parses documents, substitutes environment variables, splits them into resources.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DocumentContent, ModelWork } from "../../core/apply/document.ts";
import type { ResourceKind } from "../../core/apply/kinds.ts";
import type { Resource } from "../../core/apply/resource.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { readYamlDocuments } from "../../core/formats/yaml.ts";
import { substituteEnv } from "../../core/input/environment.ts";
import { plainOf, readText, STDIN } from "../input/files.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Desired state, from all files. */
export interface Description {
  readonly resources: Resource[];
  /** Place of each resource, as in `models.yml (document 2): models.0`. */
  readonly places: SourcePath[];
  readonly kinds: Set<ResourceKind>;
  readonly works: ModelWork[];
  /** Error lines for standard error. */
  readonly mistakes: string[];
}

interface SourcePath {
  readonly file: string;
  /** Within the document; empty for all of it. */
  readonly path: string;
}

/** Reads files, directories and standard input (`-`). @throws TorusError `invalid` for a path that cannot be read */
export async function readDescription(
  paths: readonly string[],
  terminal: Pick<Terminal, "input" | "env">,
): Promise<Description> {
  const description: Description = {
    resources: [],
    places: [],
    kinds: new Set(),
    works: [],
    mistakes: [],
  };
  for (const file of [...new Set(paths.flatMap(findFiles))]) {
    try {
      const documents = await parseDocuments(file, await readText(file, terminal));
      for (const [index, document] of documents.entries())
        await addDocument(description, document, {
          file: documents.length > 1 ? `${file} (document ${index + 1})` : file,
          env: terminal.env,
        });
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      description.mistakes.push(error.message);
    }
  }
  return description;
}

async function addDocument(
  description: Description,
  document: unknown,
  { file, env }: { file: string; env: Terminal["env"] },
): Promise<void> {
  if (document === null || document === undefined) return;
  // Imported on demand: its schemas would slow the start of every other command.
  const { readDocument } = await import("../../core/apply/document.ts");
  let content: DocumentContent;
  try {
    content = readDocument(substituteEnv(document, env));
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    description.mistakes.push(`${file}: ${error.message}`);
    return;
  }
  for (const { resource, path } of content.entries) {
    description.resources.push(resource);
    description.places.push({ file, path });
  }
  for (const kind of content.kinds) description.kinds.add(kind);
  description.works.push(...content.works);
  for (const { path, message } of content.mistakes)
    description.mistakes.push([file, path, message].filter(Boolean).join(": "));
}

/** The file itself; for a directory every YAML and JSON file below it, sorted by name. */
function findFiles(path: string): string[] {
  if (path === STDIN || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const files = listFiles(path);
  if (files.length === 0) throw invalid(path, "holds no *.yml, *.yaml or *.json");
  return files;
}

/** Hidden files and directories, as `.git`, are left out. */
function listFiles(dir: string): string[] {
  const entries = readdirSync(dir, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return listFiles(path);
    return /\.(ya?ml|json)$/.test(entry.name) ? [path] : [];
  });
}

async function parseDocuments(file: string, text: string): Promise<unknown[]> {
  if (file.endsWith(".json")) {
    try {
      return [JSON.parse(text)];
    } catch {
      throw invalid(file, "is not valid JSON");
    }
  }
  return readYamlDocuments(text).map((read) => plainOf(read, file));
}
