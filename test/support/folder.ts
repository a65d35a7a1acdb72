// Temporary folders of tests: all in one folder, which the preload removes at the end of the run.
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const FOLDERS = "folders";

/** Makes an empty folder that lasts until the end of the run. */
export function temporaryFolder(): string {
  const parent = join(tmpdir(), FOLDERS);
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "test-"));
}
