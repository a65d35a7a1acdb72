// Content of a bucket: measurements, fields and tags, with a first look at the chosen values.
import { lookRange, parseTags } from "../../lib/bucket.ts";
import { buildRoute } from "../../lib/route.ts";
import { FieldSearch, TagChoice } from "../../parts/explore.tsx";
import { FirstLook } from "../../parts/first-look.tsx";
import { Empty, ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { type ExploredMeasurement, explore, firstLook } from "../../state/buckets.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { may } from "../../state/session.ts";
import { Telegraf } from "./telegraf.tsx";

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
            <FieldSearch />
            {measurement && (
              <button
                type="button"
                class="link"
                onClick={() => setParams({ measurement: undefined, ...nothing })}
              >
                {own.allMeasurements}
              </button>
            )}
            {content.isLoading && <Waiting />}
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
      {typeof last === "number" && <small>{own.newest(moments.value.moment(last, serverNow()))}</small>}
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
      {isChosen && params.field !== undefined && tags.length > 0 && <TagChoice tags={tags} />}
    </section>
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
    return firstLook(bucket, { feature, ...lookRange(place!, serverNow()) }, signal);
  });
  return (
    <div>
      {key === undefined && <p class="quiet">{own.choose}</p>}
      {look.isLoading && <Waiting />}
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
