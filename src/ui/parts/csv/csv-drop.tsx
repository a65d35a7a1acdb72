// Points from a CSV file, dropped or chosen: read as the command import-csv does, shown before they are written in parts.
import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { TorusError } from "../../../core/errors.ts";
import { decimals, onDuplicates, thousandsMarks } from "../../../core/formats/csv/options.ts";
import type { CsvPoint } from "../../../core/formats/csv/points.ts";
import { Problem } from "../../api/client.ts";
import { createLocalBucket, pathOfBucket } from "../../state/buckets.ts";
import { untilDone } from "../../state/jobs.ts";
import { moments, texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";
import type { CsvPlan, ReadingDraft } from "./csv-file.ts";

/** Points of one request. */
const BATCH = 10_000;
/** Larger files are for the command line. */
const MAX_BYTES = 200_000_000;

interface DropProps {
  /** Absent: one is made, of the name of the file. */
  readonly bucket?: string | undefined;
  readonly onWritten: (bucket: string) => void;
}

/** Points that are shown before they are written. */
const SHOWN = 3;
const asIs: ReadingDraft = {
  timezone: "",
  timeFormat: "",
  decimal: "",
  thousands: "",
  tagColumns: "",
  missing: "",
  skipLines: "",
  onDuplicate: "error",
};

export function CsvDrop({ bucket, onWritten }: DropProps) {
  const { csv } = texts.value;
  const { plan, error, written, isBusy, measurement, draft, hasFile, take, read, write } = useFile({
    bucket,
    onWritten,
  });
  const isOver = useSignal(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input of the file does the same by keys
    <section
      class={isOver.value ? "card drop over" : "card drop"}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void take(event.dataTransfer?.files[0]);
      }}
    >
      <h2>{csv.title}</h2>
      <label>
        {csv.drop}{" "}
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
      <p role="status">
        {written.value > 0 && !plan.value && csv.done(written.value)}
        {error.value && <span class="bad">{error.value}</span>}
      </p>
      {hasFile.value && <Reading draft={draft} isBusy={isBusy.value} onRead={() => void read()} />}
      {plan.value && (
        <Preview
          plan={plan.value}
          measurement={measurement}
          written={isBusy.value ? written.value : undefined}
          onWrite={() => void write(plan.value!)}
        />
      )}
    </section>
  );
}

/** Reads a chosen file, and writes its points in parts. */
function useFile({ bucket, onWritten }: DropProps) {
  const plan = useSignal<CsvPlan | undefined>(undefined);
  const error = useSignal("");
  /** Points so far; an attempt after an error goes on behind them. */
  const written = useSignal(0);
  const isBusy = useSignal(false);
  const measurement = useSignal("");
  const draft = useSignal(asIs);
  const content = useSignal<{ readonly name: string; readonly bytes: Uint8Array } | undefined>(undefined);
  const hasFile = useComputed(() => content.value !== undefined);
  /** The bucket of an attempt, which the next one goes on with. */
  const made = useRef<string | undefined>(undefined);
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);
  const read = async () => {
    const { flags, none } = texts.value.csv;
    plan.value = undefined;
    written.value = 0;
    error.value = "";
    if (!content.value) return;
    try {
      // A file of its own: most visits read none.
      const { planFile } = await import("./csv-file.ts");
      plan.value = planFile({ ...content.value, nowAt: Date.now(), flags }, draft.value);
      if (!plan.value) error.value = none;
    } catch (caught) {
      error.value = caught instanceof TorusError ? caught.message : texts.value.unreachable;
    }
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    plan.value = undefined;
    content.value = undefined;
    draft.value = asIs;
    measurement.value = "";
    error.value = file.size > MAX_BYTES ? texts.value.csv.tooLarge : "";
    if (error.value) return;
    content.value = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
    await read();
  };
  const write = async ({ points, file }: CsvPlan) => {
    error.value = "";
    isBusy.value = true;
    try {
      made.current ??= bucket ?? (await createLocalBucket(file));
      const target = made.current;
      const query = measurement.value ? `?measurement=${encodeURIComponent(measurement.value)}` : "";
      for (let from = written.value; from < points.length; from += BATCH) {
        const body = points.slice(from, from + BATCH);
        const id = await request<string>(`${pathOfBucket(target)}/_write${query}`, { method: "POST", body });
        await untilDone(id, leaving.signal);
        written.value = Math.min(points.length, from + BATCH);
      }
      plan.value = undefined;
      content.value = undefined;
      onWritten(target);
    } catch (caught) {
      if (leaving.signal.aborted) return;
      if (!(caught instanceof Problem)) throw caught;
      error.value = caught.message || texts.value.unreachable;
    }
    isBusy.value = false;
  };
  return { plan, error, written, isBusy, measurement, draft, hasFile, take, read, write };
}

interface ReadingProps {
  readonly draft: Signal<ReadingDraft>;
  readonly isBusy: boolean;
  readonly onRead: () => void;
}

/** How the file is to be read, where content does not tell. */
function Reading({ draft, isBusy, onRead }: ReadingProps) {
  const { csv } = texts.value;
  const type = (key: keyof ReadingDraft, value: string) => (draft.value = { ...draft.value, [key]: value });
  const change = (key: keyof ReadingDraft, value: string) => {
    type(key, value);
    onRead();
  };
  const input = (key: keyof ReadingDraft, placeholder: string) => (
    <label>
      {csv.flags[flagOf[key]]}
      <input
        value={draft.value[key]}
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
      {csv.flags[flagOf[key]]}
      <select
        value={draft.value[key]}
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
      {input("timezone", "UTC")}
      {input("timeFormat", csv.guessed)}
      {choice("decimal", { "": csv.guessed, ...shownMarks(decimals, (mark) => `1234${mark}5`) })}
      {choice("thousands", {
        "": csv.guessed,
        none: csv.noThousands,
        ...shownMarks(thousandsMarks, (mark) => `1${mark}234`),
      })}
      {input("tagColumns", csv.guessed)}
      {input("missing", csv.usualMissing)}
      {input("skipLines", csv.guessed)}
      {choice("onDuplicate", Object.fromEntries(onDuplicates.map((each) => [each, csv.duplicates[each]])))}
    </div>
  );
}

/** Each separator with a number that has it; the empty one is a choice of its own. */
function shownMarks(marks: readonly string[], show: (mark: string) => string): Record<string, string> {
  return Object.fromEntries(marks.filter(Boolean).map((mark) => [mark, show(mark)]));
}

const flagOf = {
  timezone: "timezone",
  timeFormat: "format",
  decimal: "decimal",
  thousands: "thousands",
  tagColumns: "tags",
  missing: "missing",
  skipLines: "skip",
  onDuplicate: "duplicate",
} as const satisfies Record<keyof ReadingDraft, string>;

interface PreviewProps {
  readonly plan: CsvPlan;
  readonly measurement: { value: string };
  readonly written: number | undefined;
  readonly onWrite: () => void;
}

function Preview({ plan, measurement, written, onWrite }: PreviewProps) {
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
  const describe = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => `${name} = ${value}`)
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
