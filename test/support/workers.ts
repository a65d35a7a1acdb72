// Compute workers for tests: ones that misbehave on demand, from small programs of their own.

/** Starts a worker that runs `program`, which may use `postMessage` and `onmessage`. */
export function spawnProgram(program: string): Worker {
  const url = URL.createObjectURL(new Blob([program], { type: "application/javascript" }));
  const worker = new Worker(url);
  worker.addEventListener("close", () => URL.revokeObjectURL(url));
  return worker;
}
