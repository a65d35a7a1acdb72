// Points from a CSV file, dropped or chosen: columns guessed as the command import-csv does, written in parts.
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { TorusError } from "../../../core/errors.ts";
import { type CsvPoint, PointMaker } from "../../../core/formats/csv-points.ts";
import { CsvReader } from "../../../core/formats/csv-reader.ts";
import { Problem } from "../../api/client.ts";
import { pathOfBucket } from "../../state/buckets.ts";
import { untilDone } from "../../state/jobs.ts";
import { moments, texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";

/** Points of one request. */
const BATCH = 10_000;
/** Larger files are for the command line. */
const MAX_BYTES = 200_000_000;

interface DropProps {
  readonly bucket: string;
  readonly onWritten: () => void;
}

interface Plan {
  readonly file: string;
  readonly points: readonly CsvPoint[];
  readonly time: string;
  readonly fields: readonly string[];
  readonly texts: readonly string[];
  readonly empty: number;
}

export function CsvDrop({ bucket, onWritten }: DropProps) {
  const { csv } = texts.value;
  const { plan, error, written, isBusy, measurement, take, write } = useFile({ bucket, onWritten });
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
  const plan = useSignal<Plan | undefined>(undefined);
  const error = useSignal("");
  /** Points so far; an attempt after an error goes on behind them. */
  const written = useSignal(0);
  const isBusy = useSignal(false);
  const measurement = useSignal("");
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);
  const take = async (file: File | undefined) => {
    if (!file) return;
    plan.value = undefined;
    written.value = 0;
    error.value = file.size > MAX_BYTES ? texts.value.csv.tooLarge : "";
    if (error.value) return;
    try {
      plan.value = planFile(file.name, await file.text());
      measurement.value = "";
    } catch (caught) {
      if (!(caught instanceof TorusError)) throw caught;
      error.value = caught.message;
    }
  };
  const write = async ({ points }: Plan) => {
    error.value = "";
    isBusy.value = true;
    try {
      const query = measurement.value ? `?measurement=${encodeURIComponent(measurement.value)}` : "";
      for (let from = written.value; from < points.length; from += BATCH) {
        const body = points.slice(from, from + BATCH);
        const id = await request<string>(`${pathOfBucket(bucket)}/_write${query}`, { method: "POST", body });
        await untilDone(id, leaving.signal);
        written.value = Math.min(points.length, from + BATCH);
      }
      plan.value = undefined;
      onWritten();
    } catch (caught) {
      if (leaving.signal.aborted) return;
      if (!(caught instanceof Problem)) throw caught;
      error.value = caught.message || texts.value.unreachable;
    }
    isBusy.value = false;
  };
  return { plan, error, written, isBusy, measurement, take, write };
}

interface PreviewProps {
  readonly plan: Plan;
  readonly measurement: { value: string };
  readonly written: number | undefined;
  readonly onWrite: () => void;
}

function Preview({ plan, measurement, written, onWrite }: PreviewProps) {
  const { csv } = texts.value;
  const { points, time, fields, texts: skipped, empty, file } = plan;
  const { whole } = moments.value;
  const isBusy = written !== undefined;
  return (
    <div class="form">
      <p>
        {file}: {csv.found(points.length, whole(points[0]!.timestamp), whole(points.at(-1)!.timestamp))}{" "}
        {csv.columns(time, fields.join(", "))}
      </p>
      {skipped.length > 0 && <p class="quiet">{csv.skipped(skipped.join(", "))}</p>}
      {empty > 0 && <p class="quiet">{csv.empty(empty)}</p>}
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

/** @throws TorusError naming the line that is wrong */
function planFile(file: string, text: string): Plan {
  const { flags, none } = texts.value.csv;
  const reader = new CsvReader();
  const [header, ...rows] = [...reader.push(text), ...reader.end()];
  if (!header) throw new TorusError("invalid", none);
  const maker = new PointMaker(header.cells, { flags });
  const skipped = rows[0] ? maker.dropTexts(rows[0]) : [];
  const made = rows.map((row) => maker.make(row));
  const points = made.filter((point) => point !== undefined);
  if (points.length === 0) throw new TorusError("invalid", none);
  const { timeColumn: time, fields } = maker;
  return { file, points, time, fields, texts: skipped, empty: made.length - points.length };
}
