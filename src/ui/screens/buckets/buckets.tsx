// Buckets: all of them with their newest points and users, or one of them.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BucketTestView } from "../../../api/bucket.ts";
import { Problem } from "../../api/client.ts";
import { addressOf, isLate, usersOf } from "../../lib/bucket.ts";
import { formatAge } from "../../lib/format.ts";
import { nameOf } from "../../lib/model-state.ts";
import { buildRoute } from "../../lib/route.ts";
import { KindList } from "../../parts/kind-list.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { NoValue, Table } from "../../parts/table.tsx";
import { type BucketSettings, buckets, testBucket } from "../../state/buckets.ts";
import { serverNow } from "../../state/clock.ts";
import { failureOf } from "../../state/failure.ts";
import { kinds, needKinds } from "../../state/kinds.ts";
import { models } from "../../state/models.ts";
import { texts } from "../../state/preferences.ts";
import { route } from "../../state/route.ts";
import { may } from "../../state/session.ts";
import { Bucket } from "./bucket.tsx";
import { NewBucket } from "./new-bucket.tsx";
import { Telegraf } from "./telegraf.tsx";

const POLL_MS = 60_000;

export function Buckets() {
  const { path, params } = route.value;
  const [, name] = path;
  if (name !== undefined) return <Bucket key={name} name={name} />;
  if (params.new !== undefined && may.value("admin")) return <NewBucket kind={params.new} />;
  return <List />;
}

function List() {
  useEffect(() => {
    needKinds();
    const stops = [buckets.follow(POLL_MS, ["bucket"]), models.follow(POLL_MS, ["model"])];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const { buckets: title, bucketsPage: own } = texts.value;
  const { value: list, problem } = buckets.loaded.value;
  const { value: known, problem: unknown } = models.loaded.value;
  // With the models that read them: rows would grow.
  const value = known || unknown ? list : undefined;
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {may.value("admin") && (
          <a class="button primary right" href={buildRoute(["buckets"], { new: "local" })}>
            {own.add}
          </a>
        )}
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void buckets.refresh()} />}
      {value && value.length === 0 && <NoBuckets />}
      {value && value.length > 0 && (
        <Table titles={Object.values(own.columns)}>
          {value.map((settings) => (
            <Row key={settings.name} settings={settings} />
          ))}
        </Table>
      )}
    </>
  );
}

function Row({ settings }: { settings: BucketSettings }) {
  const { name, type } = settings;
  const { onServer } = texts.value.bucketsPage;
  const users = usersOf(name, models.loaded.value.value ?? []);
  return (
    <tr>
      <th scope="row">
        <a href={buildRoute(["buckets", name])}>{name}</a>
        <small>{type}</small>
      </th>
      <td class="long">{addressOf(settings) || <span class="quiet">{onServer}</span>}</td>
      <td>
        <Newest name={name} />
      </td>
      <td>
        {users.length === 0 && <NoValue />}
        {users.slice(0, 5).map((model, i) => (
          <span key={nameOf(model)}>
            {i > 0 && ", "}
            <a href={buildRoute(["models", nameOf(model)])}>{nameOf(model)}</a>
          </span>
        ))}
        {users.length > 5 && ` +${users.length - 5}`}
      </td>
    </tr>
  );
}

/** The newest point by a test of the connection, which a bucket may take long to answer. */
function Newest({ name }: { name: string }) {
  const tested = useSignal<BucketTestView | undefined>(undefined);
  const canTest = may.value("run");
  useEffect(() => {
    if (!canTest) return;
    const ending = new AbortController();
    testBucket(name, ending.signal).then(
      (result) => (tested.value = result),
      (error) => {
        if (ending.signal.aborted) return;
        if (!(error instanceof Problem)) throw error;
        tested.value = { ok: false, duration: 0, error: error.message || texts.value.unreachable };
      },
    );
    return () => ending.abort();
  }, [name, canTest]);
  const { asking } = texts.value.bucketsPage;
  if (!canTest) return <NoValue />;
  if (!tested.value) return <span class="quiet">{asking}</span>;
  return <NewestPoint name={name} tested={tested.value} />;
}

/** Age of the newest point, red when a live model misses it; the error of a bucket that fails. */
function NewestPoint({ name, tested }: { name: string; tested: BucketTestView }) {
  const { ago, bucketsPage: own } = texts.value;
  const { ok, newest_timestamp: newest } = tested;
  if (!ok && tested.code !== "not_supported") return <span class="bad">{failureOf(tested)}</span>;
  if (newest === null) return <span class="quiet">{own.noPoints}</span>;
  if (newest === undefined) return <span class="quiet">{own.answers}</span>;
  const now = serverNow();
  const late = isLate(newest, usersOf(name, models.loaded.value.value ?? []), now);
  return <span class={late ? "bad" : ""}>{ago(formatAge(now - newest))}</span>;
}

function NoBuckets() {
  const { bucketsPage: own } = texts.value;
  const known = kinds.loaded.value.value?.buckets ?? [];
  return (
    <Empty>
      <h2>{own.none}</h2>
      <p>{own.what}</p>
      <KindList
        kinds={known}
        title={(type) =>
          may.value("admin") ? <a href={buildRoute(["buckets"], { new: type })}>{type}</a> : <b>{type}</b>
        }
      />
      <h3>{own.telegraf}</h3>
      <Telegraf bucket="metrics" />
    </Empty>
  );
}
