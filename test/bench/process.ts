// Resource usage of a server process: resident memory and CPU time, from /proc.
import { readFileSync } from "node:fs";

const TICKS_PER_S = 100;

export interface Usage {
  readonly residentMb: number;
  /** Highest resident memory since the process started. */
  readonly peakMb: number;
  /** Of all threads, since the process started. */
  readonly cpuS: number;
}

/** @throws Error where there is no /proc, or no such process */
export function readUsage(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]) / 1024;
  // Fields 14 and 15, after the name in brackets: user and system time in clock ticks (proc(5)).
  const times = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").slice(11, 13);
  const cpuS = times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_S;
  return { residentMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM"), cpuS };
}
