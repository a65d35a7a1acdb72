// A chosen CSV file: how it is to be read, and its points as they will be stored.
import type { Signal } from "@preact/signals";
import { decimals, onDuplicates, thousandsMarks } from "../../../core/formats/csv/options.ts";
import type { CsvPoint } from "../../../core/formats/csv/points.ts";
import { language, moments, texts } from "../../state/preferences.ts";
import type { CsvPlan, ReadingDraft } from "./csv-plan.ts";

/** Points that are shown before they are written. */
const SHOWN = 3;

interface ReadingProps {
  readonly draft: Signal<ReadingDraft>;
  readonly isBusy: boolean;
  readonly onRead: () => void;
}

/** How the file is to be read, where content does not tell. */
export function Reading({ draft, isBusy, onRead }: ReadingProps) {
  const { csv } = texts.value;
  const type = (key: keyof ReadingDraft, value: string) => (draft.value = { ...draft.value, [key]: value });
  const change = (key: keyof ReadingDraft, value: string) => {
    type(key, value);
    onRead();
  };
  const input = (key: keyof ReadingDraft, placeholder = csv.guessed) => (
    <label key={key}>
      {csv.flags[key]}
      <input
        value={draft.value[key] ?? ""}
        placeholder={placeholder}
        disabled={isBusy}
        autocomplete="off"
        spellcheck={false}
        // What is typed is kept at once: a preview that arrives meanwhile renders the form anew.
        onInput={({ currentTarget }) => type(key, currentTarget.value)}
        onChange={({ currentTarget }) => change(key, currentTarget.value)}
      />
    </label>
  );
  const choice = (key: keyof ReadingDraft, options: Readonly<Record<string, string>>) => (
    <label>
      {csv.flags[key]}
      <select
        value={draft.value[key] ?? ""}
        disabled={isBusy}
        onChange={({ currentTarget }) => change(key, currentTarget.value)}
      >
        {Object.entries(options).map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="form">
      {input("time")}
      {input("timezone", "UTC")}
      {input("format")}
      {choice("decimal", { "": csv.guessed, ...shownMarks(decimals, (mark) => `1234${mark}5`) })}
      {choice("thousands", {
        "": csv.guessed,
        none: csv.noThousands,
        ...shownMarks(thousandsMarks, (mark) => `1${mark}234`),
      })}
      {input("tags")}
      {input("missing", csv.usualMissing)}
      {input("skip")}
      {choice("duplicate", Object.fromEntries(onDuplicates.map((each) => [each, csv.duplicates[each]])))}
      <details>
        <summary>{csv.more}</summary>
        {(["columns", "header", "delimiter"] as const).map((key) => input(key))}
      </details>
    </div>
  );
}

/** Each separator with a number that has it; the empty one is a choice of its own. */
function shownMarks(marks: readonly string[], show: (mark: string) => string): Record<string, string> {
  return Object.fromEntries(marks.filter(Boolean).map((mark) => [mark, show(mark)]));
}

interface PreviewProps {
  readonly plan: CsvPlan;
  readonly measurement: { value: string };
  readonly written: number | undefined;
  readonly onWrite: () => void;
}

export function Preview({ plan, measurement, written, onWrite }: PreviewProps) {
  const { csv } = texts.value;
  const { points, time, fields, columns, notes, first, last, file } = plan;
  const { whole } = moments.value;
  const isBusy = written !== undefined;
  return (
    <div class="form">
      <p>
        {file}: {csv.found(points.length, whole(first), whole(last))} {csv.columns(time, fields.join(", "))}
      </p>
      {notes.map((note) => (
        <p class="quiet" key={note}>
          {note}
        </p>
      ))}
      <div class="scroll">
        <table>
          <tbody>
            {columns.map(({ name, use }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{use}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Points points={points.slice(0, SHOWN)} />
      <label>
        {csv.measurement}
        <input
          value={measurement.value}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => (measurement.value = currentTarget.value)}
        />
      </label>
      {isBusy && <progress value={written} max={points.length} aria-label={csv.title} />}
      <div class="row">
        <button type="button" class="primary" disabled={isBusy} onClick={onWrite}>
          {csv.write}
        </button>
      </div>
    </div>
  );
}

/** The first points, as they are stored. */
function Points({ points }: { readonly points: readonly CsvPoint[] }) {
  const { csv } = texts.value;
  const { whole } = moments.value;
  const format = new Intl.NumberFormat(language.value, { useGrouping: false, maximumSignificantDigits: 15 });
  const show = (value: unknown) => (typeof value === "number" ? format.format(value) : String(value));
  const describe = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => `${name} = ${show(value)}`)
      .join(", ");
  return (
    <>
      <p>{csv.first}</p>
      <ul>
        {points.map(({ timestamp, tags = {}, ...values }, i) => (
          <li key={i}>
            {whole(timestamp)}: {describe({ ...tags, ...values })}
          </li>
        ))}
      </ul>
    </>
  );
}
