// Points from a CSV file, dropped or chosen: read as the command import-csv does, shown before they are written in parts.
import { useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../../api/client.ts";
import { createLocalBucket, pathOfBucket } from "../../state/buckets.ts";
import { untilDone } from "../../state/jobs.ts";
import { texts, zoneName } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";
import type { CsvPlan, ReadingDraft } from "./csv-plan.ts";

/** Points of one request. */
const BATCH = 10_000;
/** Larger files are for the command line. */
const MAX_BYTES = 200_000_000;

interface DropProps {
  /** Absent: one is made, of the name of the file. */
  readonly bucket?: string | undefined;
  readonly onWritten: (bucket: string) => void;
}

/** Times of the file are those of the zone that the page shows, unless they have an offset. */
const asIs = (): ReadingDraft => ({ timezone: zoneName.value, duplicate: "error" });

export function CsvDrop({ bucket, onWritten }: DropProps) {
  const { csv } = texts.value;
  const { plan, error, written, isBusy, measurement, draft, parts, take, read, write } = useFile({
    bucket,
    onWritten,
  });
  const shown = parts.value;
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
      {shown && plan.value && (
        <shown.Preview
          plan={plan.value}
          measurement={measurement}
          written={isBusy.value ? written.value : undefined}
          onWrite={() => void write(plan.value!)}
        />
      )}
      {shown && <shown.Reading draft={draft} isBusy={isBusy.value} onRead={() => void read()} />}
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
  const draft = useSignal(asIs());
  const content = useSignal<{ readonly name: string; readonly bytes: Uint8Array } | undefined>(undefined);
  /** Undefined without a file. */
  const parts = useSignal<typeof import("./csv-file.ts") | undefined>(undefined);
  /** The bucket of an attempt, which the next one goes on with. */
  const made = useRef<string | undefined>(undefined);
  const leaving = useLeaving();
  const forget = () => {
    plan.value = undefined;
    content.value = undefined;
    parts.value = undefined;
  };
  const read = async () => {
    plan.value = undefined;
    written.value = 0;
    error.value = "";
    if (!content.value) return;
    try {
      parts.value = await import("./csv-file.ts");
      ({ plan: plan.value, error: error.value } = await parts.value.readFile(content.value, draft.value));
    } catch {
      error.value = texts.value.unreachable;
    }
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    forget();
    draft.value = asIs();
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
      const target = { bucket: made.current, measurement: measurement.value };
      await writeParts(points, target, { written, signal: leaving });
      forget();
      onWritten(made.current);
    } catch (caught) {
      if (leaving.aborted) return;
      if (!(caught instanceof Problem)) throw caught;
      error.value = caught.message || texts.value.unreachable;
    }
    isBusy.value = false;
  };
  return { plan, error, written, isBusy, measurement, draft, parts, take, read, write };
}

/** Aborted when the reader leaves. */
function useLeaving(): AbortSignal {
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);
  return leaving.signal;
}

interface Target {
  readonly bucket: string;
  /** Empty: none. */
  readonly measurement: string;
}

/** Writes the points that are not written yet, and counts them. @throws Problem */
async function writeParts(
  points: CsvPlan["points"],
  { bucket, measurement }: Target,
  { written, signal }: { readonly written: { value: number }; readonly signal: AbortSignal },
): Promise<void> {
  const query = measurement ? `?measurement=${encodeURIComponent(measurement)}` : "";
  for (let from = written.value; from < points.length; from += BATCH) {
    const body = points.slice(from, from + BATCH);
    const id = await request<string>(`${pathOfBucket(bucket)}/_write${query}`, { method: "POST", body });
    await untilDone(id, signal);
    written.value = Math.min(points.length, from + BATCH);
  }
}
