// When tokens were used: known at once, written down in groups.
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { markUsed } from "../../store/tokens.ts";
import type { Token } from "./view.ts";

/** Uses are written down this often at most. */
const WRITE_USES_MS = 60_000;

export interface TokenUseDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "setTimer">;
  readonly onError: (error: unknown) => void;
}

export class TokenUses {
  /** Tokens used since the last writing. */
  readonly #used = new Set<Token>();
  #clearTimer: (() => void) | undefined;

  constructor(private readonly deps: TokenUseDeps) {}

  /** A token was used; one of the settings is not kept. @param at ms since the epoch */
  note(token: Token, at: number): void {
    token.lastUsedAt = at;
    if (token.createdAt === null || this.#used.has(token)) return;
    this.#used.add(token);
    this.#clearTimer ??= this.deps.clock.setTimer(() => void this.write(), WRITE_USES_MS);
  }

  /** The token is gone: nothing is written of it any more. */
  forget(token: Token): void {
    this.#used.delete(token);
  }

  /** Writes down what was used; never rejects. */
  async write(): Promise<void> {
    this.#clearTimer?.();
    this.#clearTimer = undefined;
    if (this.#used.size === 0) return;
    const uses = new Map([...this.#used].map(({ id, lastUsedAt }) => [id, lastUsedAt!]));
    this.#used.clear();
    await markUsed(this.deps.store, uses).catch(this.deps.onError);
  }
}
