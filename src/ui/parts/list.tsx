// Lists in pages: chips that filter by state, with counts, and the way to the next page.
import { texts } from "../state/preferences.ts";
import { route, setParams } from "../state/route.ts";

interface ChipProps {
  readonly label: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onPick: () => void;
}

function Chip({ label, count, isOn, onPick }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onPick}>
      {label} <span class="count">{count}</span>
    </button>
  );
}

interface ChipsProps<S extends string> {
  readonly label: string;
  /** In their order; those without an entry are left out. */
  readonly states: readonly S[];
  readonly counts: ReadonlyMap<string, number>;
  readonly nameOf: (state: S) => string;
  /** Entries of the list, where one may count for several states. */
  readonly total?: number;
}

/** The chosen state is `state` of the address. */
export function StateChips<S extends string>({ label, states, counts, nameOf, total }: ChipsProps<S>) {
  const { state } = route.value.params;
  const inAll = total ?? counts.values().reduce((sum, n) => sum + n, 0);
  const pick = (next?: S) => setParams({ state: next, page: undefined });
  return (
    <fieldset class="chips">
      <legend class="hidden">{label}</legend>
      <Chip label={texts.value.all} count={inAll} isOn={!state} onPick={() => pick()} />
      {states
        .filter((name) => counts.has(name))
        .map((name) => (
          <Chip
            key={name}
            label={nameOf(name)}
            count={counts.get(name)!}
            isOn={state === name}
            onPick={() => pick(state === name ? undefined : name)}
          />
        ))}
    </fieldset>
  );
}

/** `page` of the address, from 0; the last page where the list has become shorter. @param size entries of a page */
export function pageOf(total: number, size: number): number {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return Math.min(last, Number(route.value.params.page) || 0);
}

/** The page is `page` of the address; nothing where one page holds all. @param size entries of a page */
export function Pager({ label, total, size }: { label: string; total: number; size: number }) {
  const { before, after, shownOf } = texts.value.pages;
  if (total <= size) return null;
  const page = pageOf(total, size);
  const end = Math.min(total, (page + 1) * size);
  const turn = (to: number) => {
    setParams({ page: to > 0 ? String(to) : undefined });
    scrollTo(0, 0);
  };
  return (
    <nav class="actions" aria-label={label}>
      <button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>
        {before}
      </button>
      <span>{shownOf(page * size + 1, end, total)}</span>
      <button type="button" disabled={end >= total} onClick={() => turn(page + 1)}>
        {after}
      </button>
    </nav>
  );
}

/** Search by `q` of the address. */
export function ListSearch({ label }: { label: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={route.value.params.q ?? ""}
      onInput={({ currentTarget }) => setParams({ q: currentTarget.value, page: undefined })}
    />
  );
}

/** Removes the filters of the address. */
export function ClearFilter() {
  return (
    <button type="button" onClick={() => setParams({ state: undefined, q: undefined, page: undefined })}>
      {texts.value.clear}
    </button>
  );
}
