// A compute worker that dies when it is told to, in the way it is told; else it is the real one.
import "../../wasm/worker.ts";

declare const self: Worker;

/** Beyond every limit the tests set: asked for at once, so that nothing is left for long. */
const TOO_MUCH = 8e9;

const deaths: Readonly<Record<string, () => unknown>> = {
  throw: () => {
    throw new Error("thrown on purpose");
  },
  reject: () => void Promise.reject(new Error("rejected on purpose")),
  exit: () => process.exit(0),
  memory: () => new Uint8Array(TOO_MUCH).fill(1),
};

const work = self.onmessage!;
self.onmessage = (event) => {
  const { die } = event.data as { die?: string };
  return die === undefined ? work.call(self, event) : deaths[die]!();
};
