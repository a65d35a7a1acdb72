// Long computations on the server's own thread, in small steps.
import { throwIfAborted } from "../../core/abort.ts";

/** Lets other work get its turn. @throws TorusError `canceled` or `deadline` where the signal is aborted */
export async function nextTurn(signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve) => setImmediate(resolve));
}
