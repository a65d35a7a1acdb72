// Last uses of tokens: updated in memory at once, stored in batches.
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { markUsed } from "../../store/tokens.ts";
import type { Token } from "./view.ts";

/** Delay of the batch after its first use. */
const BATCH_MS = 60_000;

interface TokenUseDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "setTimer">;
  readonly onError: (error: unknown) => void;
}

export class TokenUses {
  /** Tokens used since the last batch. */
  readonly #used = new Set<Token>();
  #clearTimer: (() => void) | undefined;

  constructor(private readonly deps: TokenUseDeps) {}

  /** Records a use; uses of tokens of the settings are not stored. @param at ms since the epoch */
  note(token: Token, at: number): void {
    token.lastUsedAt = at;
    if (token.createdAt === null || this.#used.has(token)) return;
    this.#used.add(token);
    this.#clearTimer ??= this.deps.clock.setTimer(() => void this.write(), BATCH_MS);
  }

  /** Drops the pending use of a deleted token. */
  forget(token: Token): void {
    this.#used.delete(token);
  }

  /** Stores the pending uses; never rejects. */
  async write(): Promise<void> {
    this.#clearTimer?.();
    this.#clearTimer = undefined;
    if (this.#used.size === 0) return;
    const uses = new Map([...this.#used].map(({ id, lastUsedAt }) => [id, lastUsedAt!]));
    this.#used.clear();
    await markUsed(this.deps.store, uses).catch(this.deps.onError);
  }
}
