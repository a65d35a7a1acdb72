// Lists of models: pages are sorted and cut by the database where it can, long lists are made while they are sent.
import type { ModelView } from "../../api/model.ts";
import type { JsonPages } from "../../core/formats/json-pieces.ts";
import { Listed } from "../../core/input/listed.ts";
import { arrange, type Listing, parseListing, showViews } from "../../core/input/listing.ts";
import { modelStates } from "../../core/model/model-state.ts";
import type { Queue } from "../../jobs/queue/queue.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { countModelStates, findModels } from "../../store/model-states.ts";
import { countModels, listModels, type ModelRow, type Page, pageModels } from "../../store/models.ts";
import type { LiveControl } from "../live/index.ts";
import type { LiveView } from "../live/view.ts";
import { findPage, MAX_AT_ONCE, showLongList } from "../shared/long-list.ts";
import type { Params } from "../shared/range.ts";
import { type ModelSearch, parseSearch } from "./find.ts";
import { viewModel } from "./view.ts";

export interface ListDeps {
  readonly store: Store;
  readonly queue: Pick<Queue, "progressOf">;
  readonly clock: Pick<Clock, "now">;
  readonly live?: Pick<LiveControl, "views">;
}

/** A page of models, or all of them. */
export type ListedModels = Listed<object[] | JsonPages>;

export class ModelList {
  constructor(private readonly deps: ListDeps) {}

  /**
   * All models, or those that match `state` and `q`, with the number in each state.
   * @throws TorusError `invalid` for bad list parameters
   */
  async list(params: Params = {}): Promise<ListedModels> {
    const listing = parseListing(params, { defaultSort: "name", aliases: { name: "settings.name" } });
    const search = parseSearch(params, listing);
    if (search) return this.#find(search, listing);
    const page = findPage(listing, "settings.name");
    const { store } = this.deps;
    const isPaged = page !== undefined && listing.page !== undefined;
    if (!isPaged && (await countModels(store)) > MAX_AT_ONCE) return this.#listLong(listing, page);
    const rows = await listModels(store, page);
    const views = page ? await this.#viewAll(rows) : await this.#arrange(rows, listing);
    const total = listing.page && (page ? await countModels(store) : rows.length);
    return showViews(views, listing, { total });
  }

  /** @param inOrder where the database sorts */
  async #listLong(listing: Listing, inOrder: Page | undefined): Promise<ListedModels> {
    const { store } = this.deps;
    const pages = pageModels(store, inOrder);
    const view = (rows: readonly ModelRow[]) => this.#viewAll(rows);
    const shown = await showLongList({ pages, isInOrder: inOrder !== undefined, view }, listing);
    return new Listed(shown, { total: listing.page && (await countModels(store)) });
  }

  async #find({ filter, order }: ModelSearch, listing: Listing): Promise<ListedModels> {
    const { store } = this.deps;
    const views = await this.#viewAll(await findModels(store, filter, order));
    const counts = await countModelStates(store, filter);
    const states = filter.states ?? modelStates;
    const total = new Set(states).values().reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
    return showViews(views, listing, { total, states: counts });
  }

  /** Views of all models, sorted and cut here: in an order the database does not know. */
  async #arrange(rows: readonly ModelRow[], listing: Listing): Promise<ModelView[]> {
    if (!listing.page || isSortedByLive(listing)) return arrange(await this.#viewAll(rows), listing);
    // Sorted without live detection, which is then read for the page alone.
    const rowOf = new Map(rows.map((row) => [this.view(row, undefined), row]));
    const page = arrange([...rowOf.keys()], listing);
    return this.#viewAll(page.map((view) => rowOf.get(view)!));
  }

  async #viewAll(rows: readonly ModelRow[]): Promise<ModelView[]> {
    const live = await this.deps.live?.views(rows.map(({ name }) => name));
    return rows.map((row) => this.view(row, live?.get(row.name)));
  }

  /** View of a model; cached where it depends on the row alone: the model is neither training nor live. */
  view(row: ModelRow, live: LiveView | undefined): ModelView {
    if (live || row.training?.state === "running") return this.#makeView(row, live);
    return this.deps.store.rowCache.view(row, () => this.#makeView(row, undefined));
  }

  #makeView(row: ModelRow, live: LiveView | undefined): ModelView {
    const { queue, clock } = this.deps;
    return viewModel(row, { reportOf: (id) => queue.progressOf(id), live, nowAt: clock.now() });
  }
}

/** Whether the list is sorted by a field of live detection. */
function isSortedByLive({ sort }: Listing): boolean {
  const [first, second] = sort?.path ?? [];
  return first === "live" || (first === "settings" && second === "run");
}
