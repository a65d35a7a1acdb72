// One bucket: test, content with a first look, points from a file, its models, change and deletion.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BucketTestView } from "../../../api/bucket.ts";
import { Problem } from "../../api/client.ts";
import { addressOf, usersOf } from "../../lib/bucket.ts";
import { formatSpan } from "../../lib/format.ts";
import { nameOf } from "../../lib/model-state.ts";
import { buildRoute } from "../../lib/route.ts";
import { CsvDrop } from "../../parts/csv/csv-drop.tsx";
import { DeleteButton } from "../../parts/delete-button.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { removeResource } from "../../state/bin.ts";
import { type BucketSettings, buckets, pathOfBucket, readBucket, testBucket } from "../../state/buckets.ts";
import { serverNow } from "../../state/clock.ts";
import { failureOf } from "../../state/failure.ts";
import { models } from "../../state/models.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";
import { goTo, route, setParams } from "../../state/route.ts";
import { may } from "../../state/session.ts";
import { Browser } from "./browser.tsx";
import { ChangeBucket } from "./change-bucket.tsx";

const POLL_MS = 60_000;

export function Bucket({ name }: { name: string }) {
  useEffect(() => models.follow(POLL_MS, ["model"]), []);
  const read = useAnswer(name, (signal) => readBucket(name, signal));
  /** Grows with points that were written here. */
  const round = useSignal(0);
  const isEdited = route.value.params.edit !== undefined && may.value("admin");
  if (read.problem?.status === 404) return <Missing name={name} />;
  const { settings } = read.value ?? {};
  return (
    <>
      <header class="head">
        <h1>{name}</h1>
        {settings && <span class="tag">{settings.type}</span>}
        {settings && <span class="quiet">{addressOf(settings)}</span>}
        {settings && !isEdited && <Actions settings={settings} />}
      </header>
      {read.isLoading && <Loading />}
      {read.problem && <ProblemNote problem={read.problem} again={read.again} />}
      {read.value && isEdited && (
        <ChangeBucket
          stored={read.value}
          onSaved={() => {
            read.again();
            setParams({ edit: undefined });
          }}
        />
      )}
      {settings && !isEdited && (
        <>
          <Test name={name} />
          <Browser key={round.value} name={name} type={settings.type} />
          {may.value("run") && settings.type !== "csv" && (
            <CsvDrop bucket={name} onWritten={() => void round.value++} />
          )}
          <Users name={name} />
        </>
      )}
    </>
  );
}

function Missing({ name }: { name: string }) {
  const { missing, toBuckets } = texts.value.bucketsPage;
  return (
    <div class="note problem" role="alert">
      <h1>{name}</h1>
      <p>{missing(name)}</p>
      <a href={buildRoute(["buckets"])}>{toBuckets}</a>
    </div>
  );
}

function Actions({ settings: { name, type } }: { settings: BucketSettings }) {
  const { edit, deleteWarning, localWarning } = texts.value.bucketsPage;
  if (!may.value("admin")) return null;
  return (
    <span class="row right">
      <button type="button" onClick={() => setParams({ edit: "1" })}>
        {edit}
      </button>
      <DeleteButton
        name={name}
        warning={type === "local" ? localWarning : deleteWarning}
        onDelete={async (isForced) => {
          await removeResource(
            `${pathOfBucket(name)}${isForced ? "?force=true" : ""}`,
            name,
            buckets.refresh,
          );
          await buckets.refresh();
          goTo(["buckets"]);
        }}
      />
    </span>
  );
}

/** Connection test on demand; the answer of a slow bucket is waited for, and can be given up. */
function Test({ name }: { name: string }) {
  const { bucketsPage: own, cancel, unreachable } = texts.value;
  const running = useSignal<AbortController | undefined>(undefined);
  const tested = useSignal<BucketTestView | undefined>(undefined);
  if (!may.value("run")) return null;
  const run = async () => {
    const ending = new AbortController();
    running.value = ending;
    tested.value = undefined;
    try {
      tested.value = await testBucket(name, ending.signal);
    } catch (error) {
      if (!ending.signal.aborted) {
        if (!(error instanceof Problem)) throw error;
        tested.value = { ok: false, duration: 0, error: error.message || unreachable };
      }
    }
    running.value = undefined;
  };
  return (
    <div class="row spaced">
      <button type="button" disabled={running.value !== undefined} onClick={() => void run()}>
        {own.test}
      </button>
      {running.value && (
        <button type="button" onClick={() => running.value?.abort()}>
          {cancel}
        </button>
      )}
      <span role="status">
        {running.value && own.asking}
        {tested.value && <TestResult tested={tested.value} />}
      </span>
    </div>
  );
}

export function TestResult({ tested }: { tested: BucketTestView }) {
  const { works, series, noPoints, newest: newestPoint } = texts.value.bucketsPage;
  const { ok, duration, version, series: count, newest_timestamp: newest } = tested;
  if (!ok) return <span class="bad">{failureOf(tested)}</span>;
  const facts = [
    works(formatSpan(Math.max(1000, duration * 1000)), Math.round(duration * 1000)),
    version,
    count !== undefined && series(numbers.value.one(count)),
    newest === null && noPoints,
    typeof newest === "number" && newestPoint(moments.value.moment(newest, serverNow())),
  ];
  return <span class="good">{facts.filter(Boolean).join(" · ")}</span>;
}

function Users({ name }: { name: string }) {
  const { usedBy, unused } = texts.value.bucketsPage;
  const users = usersOf(name, models.loaded.value.value ?? []);
  return (
    <section class="card">
      <h2>{usedBy}</h2>
      {users.length === 0 && <p class="quiet">{unused}</p>}
      <ul class="chips">
        {users.map((model) => (
          <li key={nameOf(model)}>
            <a href={buildRoute(["models", nameOf(model)])}>{nameOf(model)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
