// Work with active versions, repeated if a version is replaced and removed meanwhile.
import { TorusError } from "../../core/errors.ts";
import type { Store } from "../../store/db/open.ts";
import { loadModel, type ModelRow } from "../../store/models.ts";

/**
 * Runs `work` on models; again, if something was not found and the active version has changed since.
 * @param work gets the rows in the order of the names
 * @throws TorusError `not_found` naming the first unknown model, and what `work` throws
 */
export async function withActiveVersions<T>(
  store: Store,
  names: readonly string[],
  work: (rows: readonly ModelRow[]) => Promise<T>,
): Promise<T> {
  const rows = await loadAll(store, names);
  try {
    return await work(rows);
  } catch (error) {
    if (!(error instanceof TorusError && error.code === "not_found")) throw error;
    const now = await loadAll(store, names);
    if (now.every(({ generation }, i) => generation === rows[i]!.generation)) throw error;
    return withActiveVersions(store, names, work);
  }
}

async function loadAll(store: Store, names: readonly string[]): Promise<ModelRow[]> {
  const rows: ModelRow[] = [];
  for (const name of names) rows.push(await loadModel(store, name));
  return rows;
}
