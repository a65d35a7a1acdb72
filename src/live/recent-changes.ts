// Changes of the last day, in memory: each evaluation asks for those that concern its model.
import { sourcesOf } from "../core/anomaly/event.ts";
import type { RecordedChange } from "../core/changes/change.ts";
import { compareTags, type TagValues, valuesByTag } from "../core/changes/tags.ts";
import type { SeriesTags } from "../core/model/fleet.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { DAY_MS, MINUTE_MS } from "../core/time/time.ts";
import type { Clock } from "../runtime/clock.ts";
import { listChanges } from "../store/changes/changes.ts";
import type { Store } from "../store/db/open.ts";

/** How old what is in memory may be. */
const FRESH_MS = MINUTE_MS;
/** Changes in memory, the newest. */
const MAX_RECENT = 100;

interface RecentDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class RecentChanges {
  #read: { readonly at: number; readonly changes: Promise<readonly RecordedChange[]> } | undefined;

  constructor(private readonly deps: RecentDeps) {}

  /** When those that share a tag with the model began, ms since the epoch. */
  async of(settings: ModelSettings): Promise<readonly number[]> {
    return (await this.bySeries(settings))({});
  }

  /** As `of`, by the tags of a series. */
  async bySeries(settings: ModelSettings): Promise<(series: SeriesTags) => readonly number[]> {
    const changes = await this.#list();
    if (changes.length === 0) return () => [];
    const lists = Object.values(sourcesOf(settings)).map(({ tags = {} }) => tags);
    return (series) => sharing(changes, valuesByTag([...lists, series]));
  }

  /** Those with tags. A read that fails is repeated by the next evaluation. */
  #list(): Promise<readonly RecordedChange[]> {
    const { store, clock } = this.deps;
    const at = clock.now();
    const known = this.#read;
    // A clock that was set back makes them old, too.
    if (known && Math.abs(at - known.at) < FRESH_MS) return known.changes;
    const changes = listChanges(store, { sinceAt: at - DAY_MS }, { from: 0, to: MAX_RECENT }).then((rows) =>
      rows.filter(({ tags }) => Object.keys(tags).length > 0),
    );
    this.#read = { at, changes };
    changes.catch(() => {
      if (this.#read?.changes === changes) this.#read = undefined;
    });
    return changes;
  }
}

function sharing(changes: readonly RecordedChange[], own: TagValues): readonly number[] {
  return changes.filter(({ tags }) => compareTags(tags, own)?.rank === 0).map(({ at }) => at);
}
