// Content of a bucket: measurements, fields and tags, with a first look at the chosen values.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatTags, lookRange, parseTags } from "../../lib/bucket.ts";
import { buildRoute } from "../../lib/route.ts";
import { FirstLook } from "../../parts/first-look.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { type ExploredMeasurement, explore, firstLook } from "../../state/buckets.ts";
import { moments, texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { may } from "../../state/session.ts";
import { Telegraf } from "./telegraf.tsx";

/** Milliseconds without a key before a search is sent. */
const TYPING_MS = 300;

export function Browser({ name, type }: { name: string; type: string }) {
  const { measurement, search } = route.value.params;
  const { bucketsPage: own } = texts.value;
  const key = JSON.stringify([name, measurement, search]);
  const content = useAnswer(key, (signal) => explore(name, { measurement, search }, signal));
  const list = content.value?.measurements ?? [];
  const isEmpty = content.value && list.every(({ fields }) => fields.length === 0) && !search && !measurement;
  return (
    <section class="card">
      <h2>{own.content}</h2>
      {isEmpty ? (
        <Empty>
          <p>{own.noPoints}</p>
          {type === "local" && <Telegraf bucket={name} />}
        </Empty>
      ) : (
        <div class="split">
          <div>
            <Search />
            {measurement && (
              <button
                type="button"
                class="link"
                onClick={() => setParams({ measurement: undefined, ...nothing })}
              >
                {own.allMeasurements}
              </button>
            )}
            {content.isLoading && <Loading />}
            {content.problem && <ProblemNote problem={content.problem} again={content.again} />}
            {content.value && list.length === 0 && <p class="quiet">{own.noneFound}</p>}
            {list.map((each) => (
              <Measurement key={each.name} measurement={each} isOnly={list.length === 1} />
            ))}
            {content.value?.truncated && <p class="quiet">{own.truncated}</p>}
          </div>
          <Look bucket={name} measurements={list} />
        </div>
      )}
    </section>
  );
}

/** Of another measurement. */
const nothing = { field: undefined, tags: undefined };

function Search() {
  const { search } = texts.value.bucketsPage;
  const typed = useSignal(route.value.params.search ?? "");
  useEffect(() => {
    const timer = setTimeout(() => setParams({ search: typed.value || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <input
      type="search"
      aria-label={search}
      placeholder={search}
      value={typed.value}
      onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
    />
  );
}

function Measurement({ measurement, isOnly }: { measurement: ExploredMeasurement; isOnly: boolean }) {
  const { name, fields, tags, last_timestamp: last } = measurement;
  const { bucketsPage: own } = texts.value;
  const { params } = route.value;
  const isChosen = (params.measurement ?? "") === (name ?? "") || isOnly;
  const choose = (field: string) => {
    const others = { measurement: name ?? undefined, field };
    setParams((params.measurement ?? "") === (name ?? "") ? others : { ...others, tags: undefined });
  };
  return (
    <section class="measurement">
      {name !== null && <h3>{name}</h3>}
      {typeof last === "number" && <small>{own.newest(moments.value.moment(last, Date.now() / 1000))}</small>}
      <div class="chips">
        {fields.map((field) => (
          <button
            key={field.name}
            type="button"
            class="chip"
            aria-pressed={isChosen && params.field === field.name}
            onClick={() => choose(field.name)}
          >
            {field.name} {field.type && <span class="count">{field.type}</span>}
          </button>
        ))}
      </div>
      {isChosen && params.field !== undefined && tags.length > 0 && <Tags tags={tags} />}
    </section>
  );
}

function Tags({ tags }: Pick<ExploredMeasurement, "tags">) {
  const { anyValue } = texts.value.bucketsPage;
  const chosen = parseTags(route.value.params.tags);
  const choose = (tag: string, value: string) => {
    const others = chosen.filter((each) => each.tag !== tag);
    setParams({ tags: formatTags(value ? [...others, { tag, value }] : others) || undefined });
  };
  return (
    <div class="row">
      {tags.map(({ name, values }) => (
        <label key={name}>
          {name}{" "}
          <select
            value={chosen.find(({ tag }) => tag === name)?.value ?? ""}
            onChange={({ currentTarget }) => choose(name, currentTarget.value)}
          >
            <option value="">{anyValue}</option>
            {values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}

function Look({ bucket, measurements }: { bucket: string; measurements: readonly ExploredMeasurement[] }) {
  const { bucketsPage: own } = texts.value;
  const { measurement, field, tags } = route.value.params;
  const place = measurements.find(({ name }) => (name ?? undefined) === measurement);
  const key = field && place ? JSON.stringify([bucket, measurement, field, tags]) : undefined;
  const match = parseTags(tags);
  const look = useAnswer(key, (signal) => {
    const feature = {
      metric: "avg",
      field: field!,
      ...(measurement && { measurement }),
      ...(match.length > 0 && { match_all: match }),
    };
    return firstLook(bucket, { feature, ...lookRange(place!, Date.now() / 1000) }, signal);
  });
  return (
    <div>
      {key === undefined && <p class="quiet">{own.choose}</p>}
      {look.isLoading && <Loading />}
      {look.problem && <ProblemNote problem={look.problem} again={look.again} />}
      {look.value && field && (
        <>
          <FirstLook name={field} look={look.value} />
          {may.value("admin") && (
            <a class="button primary" href={buildRoute(["new"], { bucket, measurement, field, tags })}>
              {own.watch}
            </a>
          )}
        </>
      )}
    </div>
  );
}
