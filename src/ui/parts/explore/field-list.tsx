// List of the fields of a bucket: searched by words, chosen by click or keys, with kind, unit and a sparkline.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BucketContentView } from "../../../api/bucket.ts";
import { lookRange } from "../../lib/bucket.ts";
import { type FieldRow, isCounter, rowsOf, searchFields } from "../../lib/fields.ts";
import { formatFields, parseFields } from "../../lib/new-model.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { FieldSpark } from "./field-spark.tsx";

const DAY = 86_400;
/** Rows that are drawn. */
const MAX_ROWS = 200;
const LIST = "fields-of-bucket";
/** Milliseconds without a key before a search is sent. */
const TYPING_MS = 300;

interface FieldListProps {
  readonly bucket: string;
  readonly content: BucketContentView;
  readonly label: string;
  /** Whether another choice takes the place of the last one. */
  readonly isSingle?: boolean;
}

export function FieldList({ bucket, content, label, isSingle = false }: FieldListProps) {
  const { newModel: own } = texts.value;
  const choose = isSingle ? chooseOnly : toggle;
  const { typed, all, rows, at, active, keys } = useRows(content, choose);
  return (
    <>
      <input
        type="search"
        aria-label={texts.value.explore.search}
        aria-controls={LIST}
        autocomplete="off"
        placeholder={texts.value.explore.search}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          active.value = 0;
        }}
        {...keys}
      />
      <div
        id={LIST}
        class="fields"
        role="listbox"
        aria-label={label}
        aria-multiselectable={!isSingle}
        tabIndex={0}
        {...keys}
      >
        {rows.map((row, i) => (
          <Row
            key={JSON.stringify([row.measurement, row.name])}
            id={idOf(i)}
            bucket={bucket}
            row={row}
            content={content}
            isActive={i === at}
            onChoose={() => {
              active.value = i;
              choose(row);
            }}
          />
        ))}
      </div>
      <p class="quiet" role="status">
        {rows.length === 0 ? own.noneFound : own.fieldsShown(rows.length, all.length)}
      </p>
    </>
  );
}

/** What is typed at once; the address follows. */
function useTypedSearch() {
  const typed = useSignal(route.value.params.search ?? "");
  useEffect(() => {
    if (typed.value === (route.value.params.search ?? "")) return;
    const timer = setTimeout(() => setParams({ search: typed.value || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return typed;
}

/** The fields that the search finds, and the active one, which keys move. */
function useRows(content: BucketContentView, choose: (row: FieldRow) => void) {
  const typed = useTypedSearch();
  const active = useSignal(0);
  const all = searchFields(rowsOf(content.measurements), typed.value);
  const rows = all.slice(0, MAX_ROWS);
  const at = Math.min(active.value, rows.length - 1);
  const keys = {
    "aria-activedescendant": rows.length > 0 ? idOf(at) : undefined,
    onKeyDown: (event: KeyboardEvent) => {
      const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
      if (move === undefined && event.key !== "Enter") return;
      event.preventDefault();
      if (move !== undefined) active.value = Math.max(0, Math.min(rows.length - 1, at + move));
      else if (rows[at]) choose(rows[at]);
    },
  };
  useEffect(() => {
    document.getElementById(idOf(active.value))?.scrollIntoView({ block: "nearest" });
  }, [active.value]);
  return { typed, all, rows, at, active, keys };
}

const idOf = (i: number) => `field-${i}`;

/** Fields of one model are those of one measurement. */
function isChosen({ measurement, name }: FieldRow): boolean {
  const { params } = route.value;
  return (params.measurement ?? null) === measurement && parseFields(params.field).includes(name);
}

function toggle(row: FieldRow): void {
  const { params } = route.value;
  const { measurement, name } = row;
  const isSame = (params.measurement ?? null) === measurement;
  const chosen = isSame ? parseFields(params.field) : [];
  const next = isChosen(row) ? chosen.filter((each) => each !== name) : [...chosen, name];
  const other = isSame && next.length > 0 ? {} : { tags: undefined, group: undefined, metric: undefined };
  setParams({
    measurement: measurement ?? undefined,
    field: formatFields(next) || undefined,
    name: undefined,
    ...other,
  });
}

function chooseOnly({ measurement, name }: FieldRow): void {
  const isSame = (route.value.params.measurement ?? null) === measurement;
  const place = { measurement: measurement ?? undefined, field: formatFields([name]) };
  setParams(isSame ? place : { ...place, tags: undefined });
}

interface RowProps {
  readonly id: string;
  readonly bucket: string;
  readonly row: FieldRow;
  readonly content: BucketContentView;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

function Row({ id, bucket, row, content, isActive, onChoose }: RowProps) {
  const { newModel: own } = texts.value;
  const { measurement, name, unit } = row;
  const kind = row.kind ?? (isCounter(row) ? "counter" : undefined);
  const place = content.measurements.find((each) => each.name === measurement) ?? {};
  const range = lookRange(place, serverNow());
  const feature = {
    metric: isCounter(row) ? "rate" : "avg",
    field: name,
    ...(measurement && { measurement }),
  };
  const from = Math.max(range.from, (range.to ?? serverNow()) - DAY);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the list
    <div
      id={id}
      role="option"
      aria-selected={isChosen(row)}
      class={isActive ? "active" : undefined}
      onClick={onChoose}
    >
      <span class="field-name">
        {measurement !== null && <span class="quiet">{measurement} </span>}
        {name.split(/(?<=[_.:/-])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]))}
      </span>
      <span class="quiet field-kind">
        {[kind && (own.kinds[kind] ?? kind), unit].filter(Boolean).join(" · ")}
      </span>
      <FieldSpark bucket={bucket} request={{ feature, ...range, from }} />
    </div>
  );
}
