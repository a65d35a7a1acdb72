// Licence texts of packages: the files LICENSE, NOTICE and COPYING that each of them carries.
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BundledPackage } from "./bundled.ts";
import { readStandard } from "./standard.ts";

const root = resolve(import.meta.dir, "../../..");
const NAMES = /^(licen[cs]e|notice|copying|copyright)/i;

/** Authors of the packages without a licence file, by their folder, as their sources name them. */
const authors: Readonly<Record<string, string>> = {
  "node_modules/drizzle-orm": "Author: Drizzle Team",
  "node_modules/onnxruntime-web": "Copyright (c) Microsoft Corporation. All rights reserved.",
};

/**
 * Reads the licence of a package: its own files; where it has none, the text of its SPDX name.
 * @returns undefined where neither is known
 */
export async function readLicense({ license, path }: BundledPackage): Promise<string | undefined> {
  const files = (await readdir(join(root, path))).filter((file) => NAMES.test(file)).sort();
  if (files.length > 0) {
    const texts = await Promise.all(files.map((file) => readText(join(path, file))));
    return texts.join("\n\n");
  }
  const author = authors[path];
  const standard = await readStandard(license);
  if (author === undefined || standard === undefined) return undefined;
  return `${author}\n\n${standard.text}`;
}

/** Reads a file of the repository or of a package, with plain line ends. */
export async function readText(path: string): Promise<string> {
  return (await Bun.file(join(root, path)).text()).replaceAll("\r\n", "\n").trim();
}
