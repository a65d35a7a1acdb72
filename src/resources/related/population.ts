// Population: how many series live detection scores, in all and by tag; counted at times, as it changes slowly.
import { sourcesOf, tagsOf } from "../../core/anomaly/event.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { type Population, TagCounts, type Tags } from "../../core/related/tags.ts";
import type { Clock } from "../../runtime/clock.ts";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { type LiveMember, lastOfPage, listMembers, listSingles } from "../../store/anomalies/subjects.ts";
import type { Store } from "../../store/db/open.ts";

/** After this time it is counted again, while the former counts answer. */
const FRESH_MS = 5 * 60_000;
/** Counts that nobody asked for are dropped at the next look. */
const STALE_MS = 60 * 60_000;

interface PopulationDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly onError: (error: unknown) => void;
}

export class LivePopulation {
  #counted: { readonly counts: TagCounts; readonly at: number } | undefined;
  #counting: Promise<TagCounts> | undefined;

  constructor(private readonly deps: PopulationDeps) {}

  async read(): Promise<Population> {
    const nowAt = this.deps.clock.now();
    const known = this.#counted;
    if (!known || nowAt - known.at > STALE_MS) return this.#count();
    if (nowAt - known.at > FRESH_MS) this.#count().catch(this.deps.onError);
    return known.counts;
  }

  #count(): Promise<TagCounts> {
    this.#counting ??= this.#countAll().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #countAll(): Promise<TagCounts> {
    const { store, clock } = this.deps;
    const counts = new TagCounts();
    for (let last: string | undefined = ""; last !== undefined; await yieldToEventLoop()) {
      const page = await listSingles(store, last);
      for (const { features } of page) counts.add(tagsOfModel({ features }));
      last = lastOfPage(page)?.model;
    }
    for (let last: LiveMember | undefined, more = true; more; await yieldToEventLoop()) {
      const page = await listMembers(store, last);
      for (const { tags } of page) counts.add(tags);
      last = lastOfPage(page);
      more = last !== undefined;
    }
    this.#counted = { counts, at: clock.now() };
    return counts;
  }
}

/** The tags that name what a model of one series watches: those of its features. */
export function tagsOfModel(settings: Pick<ModelSettings, "features">): Tags {
  return tagsOf(sourcesOf(settings));
}
