// Site of the documentation: every file of it, made from the documents alone, so that equal input gives equal bytes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Document, readChapters, root } from "./documents.ts";
import { renderFullText, renderList } from "./llms.ts";
import { renderPage } from "./page.ts";
import { listSections } from "./sections.ts";
import { renderAlignments } from "./tables.ts";
import { nameOf } from "./targets.ts";

export interface SiteFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** @throws Error naming the document that cannot be rendered, or the error of the script */
export async function buildSite(): Promise<SiteFile[]> {
  const chapters = readChapters();
  const documents = chapters.flatMap((chapter) => chapter.documents);
  const texts: Readonly<Record<string, string>> = {
    ...Object.fromEntries(documents.map((document) => [document.name, renderPage(document, chapters)])),
    "llms.txt": renderList(chapters),
    "llms-full.txt": renderFullText(documents),
    "style.css": readText(".ci/site/style.css") + renderAlignments(),
    "search.js": await bundleSearch(),
    // A script, since pages opened from a folder may not fetch.
    "search-index.js": `globalThis.torusSections=${JSON.stringify(documents.flatMap(listSections))};\n`,
  };
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    copy("LICENSE", nameOf("LICENSE")!),
    ...listPictures(documents).map((name) => copy(`docs/${name}`, name)),
  ];
}

/** Writes the files into a folder. */
export function writeSite(files: readonly SiteFile[], folder: string): void {
  for (const { name, bytes } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}

function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function copy(path: string, name: string): SiteFile {
  return { name, bytes: readFileSync(join(root, path)) };
}

/** Pictures that a page shows. */
function listPictures(documents: readonly Document[]): string[] {
  const shown = documents.flatMap(({ body }) =>
    [...body.html.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src!),
  );
  return [...new Set(shown)].sort();
}

async function bundleSearch(): Promise<string> {
  const entrypoints = [join(root, ".ci/site/client/main.ts")];
  const { outputs } = await Bun.build({ entrypoints, target: "browser", format: "iife", minify: true });
  return outputs[0]!.text();
}
