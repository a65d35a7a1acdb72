// Packages of the clients: written from the API document, compiled and packed.
import { readApi } from "./api.ts";
import { readDocument } from "./document.ts";
import { packWheel } from "./python/wheel.ts";
import type { Target } from "./target.ts";
import { packTypescript } from "./typescript/package.ts";

/** Makes both packages; equal sources and times give equal bytes. @returns their paths */
export async function makeClients(target: Target): Promise<string[]> {
  const api = readApi(await readDocument(target.work));
  return [await packTypescript(api, target), await packWheel(api, target)];
}
