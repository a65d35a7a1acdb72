// Description of the machine of a benchmark.
import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import pack from "../../package.json" with { type: "json" };
import { gflopsOf, prepareGemm } from "./gemm.ts";
import type { Row } from "./part.ts";
import { timeTogether } from "./time.ts";

export async function describeMachine(): Promise<Row> {
  const [gemm] = await timeTogether([await prepareGemm()], { warmUp: 5, rounds: 15 });
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    MHz: readMegahertz(),
    cores: cpus().length,
    "memory GB": Math.round(totalmem() / 2 ** 30),
    "load before": Number(loadavg()[0]!.toFixed(2)),
    "Gemm GF/s": Number(gflopsOf(gemm!.cpuMs).toFixed(1)),
    torus: pack.version,
    bun: Bun.version,
    "onnxruntime-web": pack.dependencies["onnxruntime-web"],
  };
}

/** Present clock rate of the first core; 0 if unknown. */
function readMegahertz(): number {
  try {
    return Math.round(Number(/cpu MHz\s*:\s*([\d.]+)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? 0));
  } catch {
    return 0;
  }
}
