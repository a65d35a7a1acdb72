// Bin: deleted resources, restored or deleted for good by clients, and removed once they have expired.
import type { BinEntryView, RestoredView } from "../../api/server/bin.ts";
import { kindsWithFiles } from "../../buckets/index.ts";
import type { OpenContext } from "../../buckets/kind.ts";
import { putBack } from "../../buckets/stored/index.ts";
import type { ResourceKind } from "../../core/apply/kinds.ts";
import { invalid } from "../../core/errors.ts";
import type { Listed } from "../../core/input/listed.ts";
import { parseListing, showViews } from "../../core/input/listing.ts";
import { Name } from "../../core/input/name.ts";
import { check } from "../../core/input/schema.ts";
import { formatDate } from "../../core/time/time.ts";
import { freshState } from "../../live/state.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type BinEntry, countBin, listBin, removeFromBin } from "../../store/bin/entries.ts";
import { type RestoredEntry, restoreFromBin } from "../../store/bin/restore.ts";
import type { Store } from "../../store/db/open.ts";
import type { Params } from "../shared/range.ts";
import { removeUnusedFiles } from "./files.ts";

interface BinResourceDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** How long entries are kept, ms. */
  readonly binMs: () => number;
  readonly context: OpenContext;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** Called after resources of a kind were restored, with their names. */
  readonly onRestored: Partial<Readonly<Record<ResourceKind, (names: readonly string[]) => Promise<void>>>>;
}

/** Shown without a page. */
const DEFAULT_PAGE = { from: 0, to: 100 };

const POINTS_LOST = "its points are not on this server: a backup of their file may have them";

export class Bin {
  constructor(private readonly deps: BinResourceDeps) {}

  /** Entries in pages, newest first; without a page the newest 100. @throws TorusError `invalid` */
  async list(params: Params = {}): Promise<Listed> {
    const { store } = this.deps;
    const listing = parseListing({ ...params, sort: undefined });
    const sinceAt = this.#sinceAt();
    const rows = await listBin(store, { sinceAt, ...(listing.page ?? DEFAULT_PAGE) });
    const views = rows.map((row) => this.#view(row));
    return showViews(views, listing, { total: await countBin(store, sinceAt) });
  }

  /**
   * Restores entries, all or none; a model that was live is live again.
   * @param params `name`: another name for a single entry
   * @throws TorusError `not_found`, `already_exists`, `invalid`, `not_supported`
   */
  async restore(ids: readonly string[], params: Params = {}): Promise<RestoredView[]> {
    const { store, clock, context, newId, onRestored } = this.deps;
    const name = readNewName(params.name, ids);
    const lost = new Set<string>();
    const restored = await restoreFromBin(store, ids, {
      name,
      at: clock.now(),
      sinceAt: this.#sinceAt(),
      kindsWithFiles,
      startState: () => ({ ...freshState(newId()) }),
      placeFile: (entry, now) => {
        if (!putBack(entry.id, now, context.dataDir)) lost.add(entry.id);
      },
    });
    for (const [kind, notify] of Object.entries(onRestored)) {
      const names = restored.flatMap((one) => (one.entry.kind === kind ? [one.name] : []));
      if (names.length > 0) await notify(names);
    }
    return restored.map((one) => viewRestored(one, lost));
  }

  /** Deletes entries for good, all or none. @throws TorusError `not_found` */
  async remove(ids: readonly string[]): Promise<void> {
    const { store, context } = this.deps;
    await removeFromBin(store, ids, this.#sinceAt());
    await removeUnusedFiles(store, context.dataDir);
  }

  #sinceAt(): number {
    return this.deps.clock.now() - this.deps.binMs();
  }

  #view({ id, kind, name, model, deletedAt, deletedBy, bytes }: BinEntry): BinEntryView {
    const expiresAt = deletedAt + this.deps.binMs();
    return {
      id,
      kind,
      name,
      ...(model !== null && { model }),
      deleted_date: formatDate(deletedAt),
      deleted_timestamp: deletedAt / 1000,
      ...(deletedBy !== null && { deleted_by: deletedBy }),
      expires_date: formatDate(expiresAt),
      expires_timestamp: expiresAt / 1000,
      bytes,
    };
  }
}

/** @throws TorusError `invalid` */
function readNewName(value: unknown, ids: readonly string[]): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (new Set(ids).size > 1) throw invalid("name", "must be left out beside several entries");
  return check(Name, value, "name");
}

function viewRestored(
  { entry: { id, kind, model }, name, isLive }: RestoredEntry,
  lost: ReadonlySet<string>,
): RestoredView {
  return {
    kind,
    name,
    ...(model !== null && { model }),
    ...(isLive && { live: true as const }),
    ...(lost.has(id) && { note: POINTS_LOST }),
  };
}
