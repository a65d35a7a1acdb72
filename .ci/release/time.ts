// Time of all files of a release.
import { root } from "./files.ts";
import { runTool } from "./tools.ts";

/** Of the environment (reproducible-builds.org), otherwise of the last commit. In seconds. */
export async function readReleaseTime(): Promise<number> {
  const given = process.env.SOURCE_DATE_EPOCH;
  const text = given ?? (await runTool(["git", "-C", root, "log", "-1", "--format=%ct"], { releasedAt: 0 }));
  if (!/^\d+\n?$/.test(text)) throw new Error("SOURCE_DATE_EPOCH must be seconds since 1970");
  return Number(text);
}
