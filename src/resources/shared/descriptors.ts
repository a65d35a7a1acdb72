// File descriptors of the process, as Linux counts them: each connection and each open bucket takes some.
import { readdirSync, readFileSync } from "node:fs";

export interface DescriptorUse {
  readonly used: number;
  /** Limit of the process, `ulimit -n`. */
  readonly limit: number;
}

/** @returns undefined where the system does not say */
export function measureDescriptors(folder = "/proc/self"): DescriptorUse | undefined {
  try {
    const limit = readLimit(readFileSync(`${folder}/limits`, "utf8"));
    return limit === undefined ? undefined : { used: readdirSync(`${folder}/fd`).length, limit };
  } catch (error) {
    // To count takes one too.
    if (["EMFILE", "ENFILE"].includes((error as { code?: string }).code ?? "")) return { used: 1, limit: 1 };
    return undefined;
  }
}

/** The soft limit. */
function readLimit(limits: string): number | undefined {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
