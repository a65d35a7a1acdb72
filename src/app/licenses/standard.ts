// Standard licence texts by SPDX name, from a package of the build that holds the SPDX list as data.
import { join, resolve } from "node:path";

const LIST = join(resolve(import.meta.dir, "../../.."), "node_modules/spdx-license-list/licenses");

export interface Standard {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Lines that each work fills in: `Copyright (c) <year> <owner>`. */
const PLACEHOLDER = /^Copyright .*<.*>.*\n+/gm;

/** Reads a standard text, without the line for its holder. @returns undefined for names that SPDX does not list */
export async function readStandard(id: string): Promise<Standard | undefined> {
  const file = Bun.file(join(LIST, `${id}.json`));
  if (!/^[\w.-]+$/.test(id) || !(await file.exists())) return undefined;
  const { name, licenseText } = (await file.json()) as { name: string; licenseText: string };
  const text = licenseText.replaceAll("\r\n", "\n").replace(PLACEHOLDER, "").trim();
  return { id, title: `${name} (${id})`, text };
}
