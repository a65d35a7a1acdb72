// Content of a bucket: its fields in a list, with a first look at the values of the chosen one.
import { lookRange, parseTags } from "../../lib/bucket.ts";
import { isCounter } from "../../lib/fields.ts";
import { parseFields } from "../../lib/new-model.ts";
import { buildRoute } from "../../lib/route.ts";
import { FieldList } from "../../parts/explore/field-list.tsx";
import { TagChoice } from "../../parts/explore/tag-choice.tsx";
import { useContent } from "../../parts/explore/use-content.ts";
import { FirstLook } from "../../parts/first-look.tsx";
import { Empty, ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { type ExploredMeasurement, explore, firstLook } from "../../state/buckets.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";
import { route } from "../../state/route.ts";
import { may } from "../../state/session.ts";
import { Telegraf } from "./telegraf.tsx";

export function Browser({ name, type }: { name: string; type: string }) {
  const { bucketsPage: own } = texts.value;
  const { content } = useContent(name);
  const list = content.value?.measurements ?? [];
  return (
    <section class="card">
      <h2>{own.content}</h2>
      {content.isLoading && <Waiting />}
      {content.problem && <ProblemNote problem={content.problem} again={content.again} />}
      {content.value && list.every(({ fields }) => fields.length === 0) && (
        <Empty>
          <p>{own.noPoints}</p>
          {type === "local" && <Telegraf bucket={name} />}
        </Empty>
      )}
      {content.value && list.some(({ fields }) => fields.length > 0) && (
        <div class="split">
          <div>
            <FieldList bucket={name} content={content.value} label={own.content} isSingle />
            <Tags bucket={name} />
          </div>
          <Look bucket={name} measurements={list} />
        </div>
      )}
    </section>
  );
}

/** Of the chosen field. */
function Tags({ bucket }: { bucket: string }) {
  const { measurement, field: text } = route.value.params;
  const [field] = parseFields(text);
  const key = field && JSON.stringify([bucket, measurement, field]);
  const { value } = useAnswer(key, (signal) => explore(bucket, { measurement, field }, signal));
  return <TagChoice tags={value?.measurements[0]?.tags ?? []} />;
}

function Look({ bucket, measurements }: { bucket: string; measurements: readonly ExploredMeasurement[] }) {
  const { bucketsPage: own } = texts.value;
  const { measurement, field: text, tags } = route.value.params;
  const [field] = parseFields(text);
  const place = measurements.find(({ name }) => (name ?? undefined) === measurement);
  const known = place?.fields.find(({ name }) => name === field);
  const key = field && place ? JSON.stringify([bucket, measurement, field, tags]) : undefined;
  const match = parseTags(tags);
  const look = useAnswer(key, (signal) => {
    const feature = {
      metric: known && isCounter({ kind: undefined, ...known }) ? "rate" : "avg",
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
            <a class="button primary" href={buildRoute(["new"], { bucket, measurement, field: text, tags })}>
              {own.watch}
            </a>
          )}
        </>
      )}
    </div>
  );
}
