// Filters of the list of models: state and part of the name.
import { invalid } from "../../core/errors.ts";
import type { Listing } from "../../core/input/listing.ts";
import { type ModelStateName, modelStates } from "../../core/model/model-state.ts";
import { NO_LIMIT } from "../../store/db/pages.ts";
import type { ModelFilter, ModelOrder } from "../../store/model-states.ts";
import { given, type Params } from "../shared/range.ts";

const MAX_TEXT = 256;

/** A search that the database does; undefined: an ordinary list. */
export interface ModelSearch {
  readonly filter: ModelFilter;
  readonly order: ModelOrder;
}

/**
 * Reads `state` (several separated by `;`), `q` and `sort=state:1`.
 * @throws TorusError `invalid` for unknown states, and for other orders with these filters
 */
export function parseSearch(params: Params, { sort, page }: Listing): ModelSearch | undefined {
  const states = parseStates(given(params, "state"));
  const text = parseText(given(params, "q"));
  const by = sort?.path.join(".");
  if (!states && text === undefined && by !== "state") return undefined;
  if (by !== "state" && by !== "settings.name")
    throw invalid("sort", "must be by name or state where state or q is given");
  const range = page && Number.isSafeInteger(page.to) ? page : undefined;
  return {
    filter: { ...(states && { states }), ...(text !== undefined && { text }) },
    order: {
      byState: by === "state",
      descending: sort!.descending,
      offset: range?.from ?? 0,
      limit: range ? range.to - range.from : NO_LIMIT,
    },
  };
}

function parseStates(value: unknown): ModelStateName[] | undefined {
  if (value === undefined) return undefined;
  const words = typeof value === "string" ? value.split(";") : [];
  const found = words.map((word) => modelStates.find((state) => state === word));
  if (found.length === 0 || found.includes(undefined))
    throw invalid("state", `must be some of ${modelStates.join(";")}`);
  return found as ModelStateName[];
}

/** A part of a name. @throws TorusError `invalid` */
export function parseText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.length > MAX_TEXT)
    throw invalid("q", `must be a text of at most ${MAX_TEXT} characters`);
  return value;
}
