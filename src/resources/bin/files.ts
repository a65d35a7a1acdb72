// Files of deleted buckets: put away where a crash has left them, and removed with their entries of the bin.
import { hasFile, listPutAway, putAway, removePutAway } from "../../buckets/stored/index.ts";
import { listBinnedFiles } from "../../store/bin/entries.ts";
import { findBucket } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";

/** Puts away the files of deleted buckets that are still in place, or back there: a crash came in between. */
export async function settleFiles(store: Store, dataDir: string): Promise<void> {
  const away = new Set(listPutAway(dataDir));
  for (const { id, name } of await listBinnedFiles(store))
    if (!away.has(id) && hasFile(name, dataDir) && !(await findBucket(store, name)))
      putAway(name, id, dataDir);
  await removeUnusedFiles(store, dataDir);
}

/** Removes files whose entries are gone. */
export async function removeUnusedFiles(store: Store, dataDir: string): Promise<void> {
  // Before the entries: a file that is put away meanwhile has one.
  const away = listPutAway(dataDir);
  if (away.length === 0) return;
  const kept = new Set((await listBinnedFiles(store)).map(({ id }) => id));
  for (const id of away) if (!kept.has(id)) removePutAway(id, dataDir);
}
