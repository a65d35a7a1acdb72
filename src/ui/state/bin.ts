// Deletions that can be undone: the last one of this page, and the entries of the bin.
import { signal } from "@preact/signals";
import type { BinEntryView } from "../../api/server/bin.ts";
import { Problem } from "../api/client.ts";
import { hasDeleted } from "./overlay.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";

interface LastDeletion {
  readonly name: string;
  /** Of its entries. */
  readonly ids: string;
  readonly state: "deleted" | "restored";
  /** Of the last attempt to undo it. */
  readonly problem?: Problem;
  /** Reads again what the page shows. */
  readonly refresh: () => Promise<void> | void;
}

/** Undefined once its line is closed. */
export const lastDeletion = signal<LastDeletion | undefined>(undefined);

/** @param refresh reads again what the page shows, after an undo. @throws Problem */
export async function removeResource(
  path: string,
  name: string,
  refresh: LastDeletion["refresh"] = () => {},
): Promise<void> {
  let ids: string | null = null;
  const onHeaders = (headers: Headers) => {
    ids = headers.get("torus-bin-id");
  };
  await request(path, { method: "DELETE", onHeaders });
  lastDeletion.value = ids === null ? undefined : { name, ids, state: "deleted", refresh };
  hasDeleted.value = true;
  refreshShown();
}

/** Undoes the last deletion. */
export async function undoDeletion(): Promise<void> {
  const deletion = lastDeletion.peek();
  if (deletion?.state !== "deleted") return;
  try {
    await restoreEntries(deletion.ids);
    lastDeletion.value = { ...deletion, state: "restored" };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    lastDeletion.value = { ...deletion, problem: error };
    return;
  }
  refreshShown();
  await deletion.refresh();
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
