// Subscription of one client: frames that wait to be sent; a client that does not read them in time is dropped.

/** Frames that may wait beside those in the buffers of the connection; more than the events kept for later. */
const MAX_WAITING = 1500;

export type EndReason = "slow" | "forbidden" | "stopping";

/** A comment of the stream, which clients ignore: keeps proxies from closing an idle connection. */
const BEAT = ": beat\n\n";

export class Subscription {
  readonly #waiting: string[];
  #isEnded = false;
  #wake: (() => void) | undefined;

  /** @param first frames to send before the others */
  constructor(
    readonly isWanted: (change: { readonly type: string; readonly model: string | null }) => boolean,
    first: readonly string[],
    private readonly onEnd: (subscription: Subscription, reason?: EndReason) => void,
  ) {
    this.#waiting = [...first];
  }

  /** @returns false where the stream has ended */
  push(frame: string): boolean {
    if (this.#isEnded) return false;
    if (this.#waiting.length >= MAX_WAITING) this.end("slow");
    else this.#waiting.push(frame);
    this.#resume();
    return !this.#isEnded;
  }

  /** Keeps an idle connection open. */
  beat(): void {
    if (this.#waiting.length === 0) this.push(BEAT);
  }

  /** Drops what waits, but for the reason. */
  end(reason: EndReason): void {
    if (this.#isEnded) return;
    this.#waiting.splice(0, this.#waiting.length, formatFrame({ event: "end", data: { reason } }));
    this.#finish(reason);
  }

  /** Ends without a reason: the client has gone. */
  close(): void {
    if (!this.#isEnded) this.#finish();
  }

  #finish(reason?: EndReason): void {
    this.#isEnded = true;
    this.onEnd(this, reason);
    this.#resume();
  }

  /** Frames as bytes; read on demand, so that the client sets the pace. */
  stream(): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream(
      {
        pull: async (controller) => {
          const text = await this.#next();
          if (text === undefined) controller.close();
          else controller.enqueue(encoder.encode(text));
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    );
  }

  /** All frames that wait, or the next one; undefined after the end. */
  async #next(): Promise<string | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#isEnded) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.#waiting.splice(0).join("");
  }

  #resume(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** One event as its frame: `data` is JSON, and so of one line. */
export function formatFrame({ id, event, data }: { id?: string; event: string; data: unknown }): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
