// List of hooks, those that failed first; many are found by words and by state, and turned in pages.
import { useMemo } from "preact/hooks";
import type { HookStateView } from "../../../api/hook.ts";
import { ClearFilter, ListSearch, Pager, pageOf, StateChips } from "../../parts/list.tsx";
import { Empty } from "../../parts/notes.tsx";
import { hookStates } from "../../state/hooks.ts";
import { texts } from "../../state/preferences.ts";
import { route } from "../../state/route.ts";
import { HookCard, type HookEntry, type ListedHook } from "./hook-card.tsx";
import { describeSelector } from "./selected-hooks.ts";

/** Hooks that are open at first; more would hide each other. */
const FEW = 3;
/** Hooks above which the list has a search. */
const MANY = 10;
/** Hooks on a page of the list. */
const PAGE = 20;

interface ListProps {
  readonly label: string;
  readonly list: readonly HookEntry[];
  /** Name of the hook that was added last. */
  readonly added: string | undefined;
  readonly onChange: () => void;
}

const keyOf = (model: string | undefined, name: string) => `${model ?? ""}/${name}`;

/** Neither arrived nor on its way for the first time. */
const isBad = (state: HookStateView | undefined) =>
  state?.last_delivery !== undefined &&
  state.last_delivery.state !== "sent" &&
  state.last_delivery.error !== undefined;

export function HookList({ label, list, added, onChange }: ListProps) {
  const { search, noneFound, kinds } = texts.value.allHooks;
  const { q = "", state: chosen } = route.value.params;
  const read = hookStates.loaded.value.value;
  const states = new Map(read?.map((state) => [keyOf(state.model, state.name), state]));
  // A hook that fails while one looks, as in a test, keeps its place.
  const badAtFirst = useMemo(
    () => new Set(read?.filter(isBad).map(({ model, name }) => keyOf(model, name))),
    [read === undefined],
  );
  const entries: ListedHook[] = list
    .map((entry) => ({ ...entry, state: states.get(idOf(entry)) }))
    .sort((a, b) => Number(badAtFirst.has(idOf(b))) - Number(badAtFirst.has(idOf(a))));
  const counts = new Map<string, number>();
  for (const kind of entries.flatMap(kindsOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const found = entries.filter(
    (entry) => (!chosen || kindsOf(entry).includes(chosen)) && textOf(entry).includes(q.toLowerCase()),
  );
  const first = PAGE * pageOf(found.length, PAGE);
  return (
    <section aria-label={label}>
      {(list.length > MANY || q || chosen) && (
        <div class="head">
          <StateChips
            label={label}
            states={["failing", "single", "global"]}
            counts={counts}
            total={list.length}
            nameOf={(kind) => kinds[kind]}
          />
          <ListSearch label={search} />
        </div>
      )}
      {found.slice(first, first + PAGE).map((entry) => (
        <HookCard
          key={idOf(entry)}
          entry={entry}
          opensAtFirst={list.length <= FEW || (entry.settings !== undefined && entry.hook.name === added)}
          onChange={onChange}
        />
      ))}
      {list.length > 0 && found.length === 0 && (
        <Empty>
          <p>{noneFound}</p>
          <ClearFilter />
        </Empty>
      )}
      <Pager label={label} total={found.length} size={PAGE} />
    </section>
  );
}

const idOf = ({ owner, hook }: HookEntry) => keyOf(owner, hook.name);

const kindsOf = ({ owner, state }: ListedHook) => [
  owner === undefined ? "global" : "single",
  ...(isBad(state) ? ["failing"] : []),
];

/** The texts that the search looks in. */
const textOf = ({ owner, hook: { name, type, target, selector } }: HookEntry) =>
  [name, type, target, owner ?? describeSelector(selector)].join(" ").toLowerCase();
