// Server-sent events: changes, kept in a ring so that a client can go on where it lost the connection.
import type { ServerEventView } from "../../api/event.ts";
import { type Change, type ChangeType, changeTypes, isPassing } from "../../core/change.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { splitNames } from "../../core/input/name.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { given, type Params } from "../shared/range.ts";
import { type EndReason, formatFrame, Subscription } from "./subscription.ts";
import { viewChange } from "./view.ts";

/** Events kept for clients that come back. */
const RING = 1000;
export const MAX_STREAMS = 100;
/** Of one token, or of one address where there are none, so that no client takes the streams of all. */
export const MAX_STREAMS_PER_CLIENT = 10;
const BEAT_MS = 15_000;

interface EventsDeps {
  readonly store: Pick<Store, "changes">;
  readonly clock: Clock;
  /** Called for each event put into a stream. */
  readonly onSent?: (type: ChangeType) => void;
  /** Called for each stream that was ended because its client did not read. */
  readonly onSlow?: () => void;
}

interface Kept {
  readonly seq: number;
  readonly type: ChangeType;
  readonly model: string | null;
  readonly view: ServerEventView;
}

interface EventRequest {
  /** `types` and `models`, separated by `;`; absent: all. */
  readonly params: Params;
  /** Id of the last event the client has; absent: only what follows. */
  readonly lastId: string | undefined;
}

interface StreamRequest extends EventRequest {
  /** Id of the token, or address: the streams of one client share a limit. */
  readonly client: string;
  /** Whether the sender may still read; asked at every beat. */
  readonly isAllowed: () => boolean;
}

type IsWanted = Subscription["isWanted"];

export class Events {
  readonly #ring: Kept[] = [];
  readonly #open = new Map<Subscription, Pick<StreamRequest, "client" | "isAllowed">>();
  /** Prefix of ids: those of an earlier process mean nothing here. */
  readonly #run: string;
  readonly #unsubscribe: () => void;
  #seq = 0;
  #isClosed = false;
  #clearTimer: (() => void) | undefined;

  constructor(private readonly deps: EventsDeps) {
    this.#run = deps.clock.now().toString(36);
    this.#unsubscribe = deps.store.changes.subscribe((change) => this.#publish(change));
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#open.size;
  }

  /** The events since the last one of the client, after `ready` or `reset`. @throws TorusError `invalid` */
  list({ params, lastId }: EventRequest): ServerEventView[] {
    return this.#since(lastId, parseFilter(params));
  }

  /**
   * The events since the last one of the client, and all that follow until it goes.
   * @throws TorusError `invalid`, `too_many_requests`, `overloaded`, `interrupted`
   */
  stream({ params, lastId, client, isAllowed }: StreamRequest): ReadableStream<Uint8Array> {
    const isWanted = parseFilter(params);
    if (this.#isClosed) throw new TorusError("interrupted", "the server is stopping: connect again");
    this.#assertShare(client);
    if (this.#open.size >= MAX_STREAMS)
      throw new TorusError("overloaded", `${MAX_STREAMS} clients follow events already; close some of them`);
    const first = this.#since(lastId, isWanted).map(formatFrame);
    const subscription = new Subscription(isWanted, first, (ended, reason) => {
      this.#remove(ended);
      if (reason === "slow") this.deps.onSlow?.();
    });
    this.#open.set(subscription, { client, isAllowed });
    this.#schedule();
    return subscription.stream();
  }

  /** Ends all streams; new ones are refused. */
  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#endAll("stopping");
  }

  #publish(change: Change): void {
    // The id of the last event kept: a client goes on after that one.
    const seq = isPassing(change) ? this.#seq : ++this.#seq;
    const view = { id: this.#idOf(seq), ...viewChange(change) } as ServerEventView;
    const kept = { seq, type: change.type, model: "model" in change ? change.model : null, view };
    if (!isPassing(change)) this.#ring.push(kept);
    if (this.#ring.length > RING) this.#ring.shift();
    if (this.#open.size > 0) this.#send(kept);
  }

  #send(kept: Kept): void {
    const frame = formatFrame(kept.view);
    for (const subscription of this.#open.keys())
      if (subscription.isWanted(kept) && subscription.push(frame)) this.deps.onSent?.(kept.type);
  }

  /** `ready` or `reset` with the current id, unless events follow that have ids of their own. */
  #since(lastId: string | undefined, isWanted: IsWanted): ServerEventView[] {
    const last = lastId === undefined ? this.#seq : this.#seqOf(lastId);
    if (last === undefined) return [{ id: this.#idOf(this.#seq), event: "reset", data: {} }];
    const missed = this.#ring.filter(({ seq }) => seq > last).filter(isWanted);
    return [{ id: this.#idOf(last), event: "ready", data: {} }, ...missed.map(({ view }) => view)];
  }

  #idOf(seq: number): string {
    return `${this.#run}.${seq}`;
  }

  /** Undefined where events after this id are no longer known. */
  #seqOf(id: string): number | undefined {
    const match = /^([0-9a-z]{1,16})\.(\d{1,15})$/.exec(id);
    if (match?.[1] !== this.#run) return undefined;
    const seq = Number(match[2]);
    const oldest = this.#seq - this.#ring.length;
    return seq >= oldest && seq <= this.#seq ? seq : undefined;
  }

  #schedule(): void {
    this.#clearTimer ??= this.deps.clock.setTimer(() => this.#beat(), BEAT_MS);
  }

  #beat(): void {
    this.#clearTimer = undefined;
    for (const [subscription, { isAllowed }] of [...this.#open])
      if (isAllowed()) subscription.beat();
      else subscription.end("forbidden");
    if (this.#open.size > 0) this.#schedule();
  }

  /** The new stream is refused: would the oldest make room, clients that connect again would end one another for ever. */
  #assertShare(client: string): void {
    const own = this.#open.values().filter((each) => each.client === client);
    if (own.toArray().length < MAX_STREAMS_PER_CLIENT) return;
    throw new TorusError(
      "too_many_requests",
      `this token, or this address without tokens, follows events ${MAX_STREAMS_PER_CLIENT} times already: close some of them, use a token per client, or follow=false`,
    );
  }

  #endAll(reason: EndReason): void {
    for (const subscription of [...this.#open.keys()]) subscription.end(reason);
  }

  #remove(subscription: Subscription): void {
    this.#open.delete(subscription);
    if (this.#open.size > 0) return;
    this.#clearTimer?.();
    this.#clearTimer = undefined;
  }
}

/** @throws TorusError `invalid` */
function parseFilter(params: Params): IsWanted {
  const types = parseTypes(given(params, "types"));
  const list = given(params, "models");
  if (list !== undefined && typeof list !== "string") throw invalid("models", "must be names separated by ;");
  const models = list === undefined ? undefined : new Set(splitNames(list, "models"));
  return ({ type, model }) =>
    (!types || types.has(type)) && (!models || (model !== null && models.has(model)));
}

/** @throws TorusError `invalid` */
function parseTypes(value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  const words = typeof value === "string" ? value.split(";") : [];
  const isKnown = (word: string) => changeTypes.some((type) => type === word);
  if (words.length > 0 && words.every(isKnown)) return new Set(words);
  throw invalid("types", `must be some of ${changeTypes.join(";")}`);
}
