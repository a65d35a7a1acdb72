// Deletions that can be undone, and the entries of the bin.
import type { BinEntryView } from "../../api/server/bin.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";
import { undoable } from "./undo.ts";

/** @param refresh reads again what the page shows, after an undo. @throws Problem */
export async function removeResource(
  path: string,
  name: string,
  refresh: () => Promise<void> | void = () => {},
): Promise<void> {
  let ids: string | null = null;
  const onHeaders = (headers: Headers) => {
    ids = headers.get("torus-bin-id");
  };
  await request(path, { method: "DELETE", onHeaders });
  const undo = async () => {
    await restoreEntries(ids!);
    refreshShown();
    await refresh();
  };
  undoable.value = ids === null ? undefined : { name, what: "deleted", undo };
  refreshShown();
}

/** Reads the entries again where a page shows them. */
function refreshShown(): void {
  if (binEntries.loaded.peek().value) void binEntries.refresh();
}

/** @param name another name. @throws Problem */
export function restoreEntries(ids: string, name?: string): Promise<unknown> {
  const query = name === undefined ? "" : `?name=${encodeURIComponent(name)}`;
  return request(`/bin/${ids}/_restore${query}`, { method: "POST" });
}

/** The newest entries. */
export const binEntries = createResource((signal) => request<readonly BinEntryView[]>("/bin", { signal }));
