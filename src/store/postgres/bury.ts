// SQL of dead nodes: their jobs are recovered, their shards are free, their rows go, in one transaction.
import { sql } from "drizzle-orm";
import type { Store } from "../db/open.ts";
import { jobs } from "../db/schema.ts";
import { write } from "../db/transaction.ts";
import { type Recovered, recoverWhere } from "../jobs/recovery.ts";

/** A job that no node with a lease runs or waits for. */
const isOrphan = sql`not exists (select 1 from nodes
  where id = split_part(coalesce(${jobs.owner}, ''), '/', 1) and lease_until > clock_timestamp())`;

/**
 * Removes the nodes whose lease has ended; unfinished jobs are recovered as by a server that starts alone.
 * @param at ms since the epoch
 */
export function buryNodes(store: Store, at: number): Promise<Recovered> {
  return write(store, async (tx) => {
    const recovered = await recoverWhere(tx, at, isOrphan);
    await tx.run(sql`update shards set node = null
      where node is not null and node not in (select id from nodes where lease_until > clock_timestamp())`);
    await tx.run(sql`delete from nodes where lease_until <= clock_timestamp()`);
    return recovered;
  });
}
