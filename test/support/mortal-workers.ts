// Preloaded into a server: its first trainings die with their worker, in the ways that MORTAL_TRAININGS lists.
const deaths = (process.env.MORTAL_TRAININGS ?? "").split(",").filter(Boolean);
const program = new URL("./mortal-worker.ts", import.meta.url).href;
const RealWorker = globalThis.Worker;

class MortalWorker extends RealWorker {
  constructor() {
    super(program);
  }

  override postMessage(message: { task?: { kind: string } }, moved: never): void {
    const die = message.task?.kind === "train" ? deaths.shift() : undefined;
    if (die === undefined) super.postMessage(message, moved);
    else super.postMessage({ die });
  }
}

if (Bun.isMainThread) globalThis.Worker = MortalWorker as unknown as typeof Worker;
