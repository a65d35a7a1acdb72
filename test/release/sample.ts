// Small input of packages in place of the compiled program: the same list of files, in a moment.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../../.ci/release/files.ts";
import { type Architecture, manifest } from "../../.ci/release/manifest.ts";
import type { PackageInput } from "../../.ci/release/tree.ts";
import { temporaryFolder } from "../support/folder.ts";

/** 2026-01-31T12:00:00Z. */
export const RELEASED_AT = 1_769_860_800;
export const amd64: Architecture = manifest.architectures.find(({ debian }) => debian === "amd64")!;

let files: ReturnType<typeof listFiles> | undefined;

/** The files, listed once, with folders of their own. */
export async function makeInput(): Promise<PackageInput> {
  const folder = temporaryFolder();
  const [binary, work, out] = [join(folder, "binary"), join(folder, "work"), join(folder, "out")];
  writeFileSync(binary, "#!/bin/sh\nexit 0\n");
  for (const path of [work, out]) mkdirSync(path);
  files ??= listFiles(binary, RELEASED_AT);
  return { files: await files, releasedAt: RELEASED_AT, work, out };
}

/** Runs a program. @returns its exit code and all it wrote */
export async function run(...command: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { exitCode: await child.exited, output: texts.join("") };
}

/** Whether a program is installed; says what is left out where it is not. */
export function has(program: string): boolean {
  if (Bun.which(program)) return true;
  console.warn(`packages not tried with ${program}: it is not installed`);
  return false;
}
