// Feed of the changes that other nodes have committed: asked by snapshots, so that none is missed that commits late.
import type { Change } from "../../core/change.ts";
import type { Signal } from "../db/transaction.ts";
import type { Connection } from "./connection.ts";
import type { SingleStatements } from "./session.ts";

/** What a transaction has changed, for the memory of other nodes. */
export interface RemoteChange {
  readonly changes: readonly Change[];
  readonly signals: readonly Signal[];
}

/** Adds a row for a transaction, within it. @param origin of the server, which skips its own rows */
export async function appendChange(
  connection: Connection,
  origin: string,
  change: RemoteChange,
): Promise<void> {
  await connection.query("insert into changes (origin, body) values (?, ?)", [
    origin,
    JSON.stringify(change),
  ]);
}

/** Removes rows that every node with a lease has read. */
export async function sweepChanges(session: SingleStatements, olderThanMs: number): Promise<void> {
  await session.query(
    "delete from changes where at < clock_timestamp() - ?::bigint * interval '1 millisecond'",
    [olderThanMs],
  );
}

/** `isReset`: the database is another one, as after a restore; what is in memory may be wrong. */
type FeedAnswer = { readonly isReset: boolean; readonly found: readonly RemoteChange[] };

/**
 * A change that was not seen last time was in progress then, so its transaction id is at or above the oldest that was in
 * progress (PostgreSQL manual, pg_snapshot_xmin): rows from there on are read again, those known already skipped.
 */
export class ChangeFeed {
  #xmin: bigint | undefined;
  #seen = new Set<number>();

  constructor(
    private readonly session: SingleStatements,
    private readonly origin: string,
  ) {}

  /** The changes committed since the last question; of the first one: none. @throws TorusError `storage_unavailable` */
  async ask(): Promise<FeedAnswer> {
    const from = this.#xmin;
    const rows = await this.session.query(
      `select pg_snapshot_xmin(pg_current_snapshot())::text, c.seq, c.origin, c.body
       from (select) as one left join changes c on c.xid >= ?::text::xid8 order by c.seq`,
      [String(from ?? MAX_XID)],
    );
    const xmin = BigInt(rows[0]![0] as string);
    const isReset = from !== undefined && xmin < from;
    const found = rows.filter((row): row is [string, number, string, string] => row[1] !== null);
    const fresh = found.filter(([, seq, origin]) => !this.#seen.has(seq) && origin !== this.origin);
    this.#xmin = xmin;
    this.#seen = new Set(found.map(([, seq]) => seq));
    return { isReset, found: fresh.map(([, , , body]) => JSON.parse(body) as RemoteChange) };
  }

  /** Begins anew: the next question answers nothing. */
  reset(): void {
    this.#xmin = undefined;
    this.#seen.clear();
  }
}

/** No transaction has it. */
const MAX_XID = 2n ** 63n - 1n;
