// Worker of the benchmark: scores tasks, and reports the time within the worker, ms.
import { score } from "../../wasm/donut/score.ts";
import type { ScoreTask } from "../../wasm/protocol.ts";
import { SessionCache } from "../../wasm/sessions.ts";

declare const self: Worker;

const sessions = new SessionCache();
const control = { isCanceled: () => false, report: () => {} };

self.onmessage = async ({ data }: MessageEvent<ScoreTask>) => {
  const startedAt = performance.now();
  await score(data, sessions, control);
  self.postMessage(performance.now() - startedAt);
};
