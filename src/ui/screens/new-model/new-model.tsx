// A new model in three steps on one page, with a first look at its values; all choices are in the address.
import { useEffect } from "preact/hooks";
import type { BucketContentView } from "../../../api/bucket.ts";
import { Problem } from "../../api/client.ts";
import { lookRange, parseTags } from "../../lib/bucket.ts";
import { isCounter, isRising } from "../../lib/fields.ts";
import { formatFields, parseFields } from "../../lib/new-model.ts";
import { buildRoute } from "../../lib/route.ts";
import { useContent } from "../../parts/explore/use-content.ts";
import { FirstLook } from "../../parts/first-look.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { buckets, type explore, firstLook } from "../../state/buckets.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { route, setParams } from "../../state/route.ts";
import { may, request } from "../../state/session.ts";
import { Go } from "./go.tsx";
import { oneSeries, type Tags, useTags } from "./grouping.tsx";
import { Step } from "./step.tsx";
import { TemplateParams, type TemplateView } from "./template.tsx";
import { What } from "./what.tsx";

const templates = createResource((signal) =>
  request<readonly TemplateView[]>("/templates?per_page=100", { signal }),
);

/** Choices that belong to another bucket. */
export const noChoice = {
  measurement: undefined,
  field: undefined,
  tags: undefined,
  group: undefined,
  search: undefined,
  metric: undefined,
  name: undefined,
  every: undefined,
};

export function NewModel() {
  useEffect(() => {
    void buckets.refresh();
    void templates.refresh();
  }, []);
  const { newModel: own } = texts.value;
  const { value, problem } = buckets.loaded.value;
  if (!may.value("admin"))
    return (
      <>
        <h1>{texts.value.addModel}</h1>
        <Empty>
          <p>{own.notAllowed}</p>
        </Empty>
      </>
    );
  return (
    <>
      <header class="head">
        <h1>{texts.value.addModel}</h1>
        <span class="quiet">{own.about}</span>
      </header>
      {!value && !problem && <Loading />}
      {problem && !value && <ProblemNote problem={problem} again={() => void buckets.refresh()} />}
      {value && <Wizard names={value.map(({ name, type }) => ({ name, type }))} />}
    </>
  );
}

/** Chooses the field of a bucket that has no other. */
function useOnlyField(content: BucketContentView | undefined): void {
  useEffect(() => {
    const { field, template } = route.value.params;
    const [only, ...others] = content?.measurements ?? [];
    if (!only || others.length > 0 || field || template || only.fields.length !== 1) return;
    setParams({ measurement: only.name ?? undefined, field: formatFields([only.fields[0]!.name]) });
  }, [content]);
}

interface BucketName {
  readonly name: string;
  readonly type: string;
}

function Wizard({ names }: { names: readonly BucketName[] }) {
  const { bucket, template } = route.value.params;
  const known = templates.loaded.value.value ?? [];
  const chosen = known.find(({ name }) => name === template);
  const key = bucket && !chosen ? bucket : undefined;
  const { whole, content } = useContent(key);
  const proposed = useProposedMetric(content.value?.measurements ?? []);
  useOnlyField(content.value);
  const tags = useTags(key);
  const look = useLook(whole.value?.measurements ?? [], proposed, tags ?? []);
  useRisingSamples(look.value, proposed);
  return (
    <div class="wizard">
      <ol class="card steps">
        <Where names={names} templates={known} />
        {chosen ? (
          <TemplateParams template={chosen} />
        ) : (
          <What
            bucket={bucket}
            content={content}
            found={look.value?.bucket_interval}
            proposed={proposed}
            tags={tags}
          />
        )}
        <Go template={chosen} look={look.value} proposed={proposed} />
      </ol>
      <section class="card">
        <Look answer={look} isTemplate={chosen !== undefined} />
      </section>
    </div>
  );
}

function Where({
  names,
  templates: known,
}: {
  names: readonly BucketName[];
  templates: readonly TemplateView[];
}) {
  const { newModel: own } = texts.value;
  const { bucket, template } = route.value.params;
  return (
    <Step number={1} title={own.where} isDone={bucket !== undefined || template !== undefined}>
      <div class="chips">
        {names.map(({ name, type }) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={!template && name === bucket}
            onClick={() =>
              setParams(
                name === bucket
                  ? { template: undefined }
                  : { ...noChoice, template: undefined, bucket: name },
              )
            }
          >
            {name} <span class="count">{type}</span>
          </button>
        ))}
        <a class="button" href={buildRoute(["buckets"], { new: "local" })}>
          {own.addBucket}
        </a>
      </div>
      {known.length > 0 && (
        <label>
          {own.orTemplate}{" "}
          <select
            value={template ?? ""}
            onChange={({ currentTarget }) => setParams({ template: currentTarget.value || undefined })}
          >
            <option value="">{own.noTemplate}</option>
            {known.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </Step>
  );
}

type Measurements = Awaited<ReturnType<typeof explore>>["measurements"];

/** The metric that fits the chosen fields: the rate where all of them are counters. */
function useProposedMetric(measurements: Measurements): string {
  const { measurement, field } = route.value.params;
  const place = measurements.find(({ name }) => (name ?? undefined) === measurement);
  const kinds = new Map(place?.fields.map(({ name, kind }) => [name, kind]));
  const fields = parseFields(field);
  const isRate = fields.length > 0 && fields.every((name) => isCounter({ name, kind: kinds.get(name) }));
  return isRate ? "rate" : "avg";
}

/** Chooses the rate where the samples of a first look only rise, unless another metric was chosen. */
function useRisingSamples(look: ReturnType<typeof useLook>["value"], proposed: string): void {
  useEffect(() => {
    if (!look || proposed === "rate" || route.value.params.metric !== undefined) return;
    if (isRising(look.mean)) setParams({ metric: "rate" });
  }, [look]);
}

/** First look at the last field that was chosen; of a fleet at one series, whose interval is that of each. */
function useLook(measurements: Measurements, proposed: string, known: Tags) {
  const { bucket, measurement, field, tags, metric = proposed, every, template, group } = route.value.params;
  const shown = parseFields(field).at(-1);
  const place = measurements.find(({ name }) => (name ?? undefined) === measurement);
  const series = oneSeries(known, group);
  const key =
    bucket && shown && place && !template
      ? JSON.stringify([bucket, measurement, shown, tags, metric, every, series])
      : undefined;
  return useAnswer(key, async (signal) => {
    const range = lookRange(place!, serverNow(), every ? secondsOf(every) : undefined);
    const interval = every ? { bucket_interval: every } : {};
    const read = async (match: ReturnType<typeof parseTags>) => {
      const feature = {
        metric,
        field: shown!,
        ...(measurement && { measurement }),
        ...(match.length > 0 && { match_all: match }),
      };
      const name = [shown!, ...match.map(({ tag, value }) => `${tag}=${value}`)].join(" ");
      return { ...(await firstLook(bucket!, { feature, ...range, ...interval }, signal)), name };
    };
    const fixed = parseTags(tags);
    if (series.length === 0) return read(fixed);
    // A series that has ended has no points: all of them together have.
    return read([...fixed, ...series]).catch((error) => {
      if (error instanceof Problem && error.code === "no_data") return read(fixed);
      throw error;
    });
  });
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Of an interval that the page offers, such as `5m`. */
function secondsOf(interval: string): number {
  return Number.parseInt(interval, 10) * (units[interval.at(-1)!] ?? 1) || 1;
}

function Look({ answer, isTemplate }: { answer: ReturnType<typeof useLook>; isTemplate: boolean }) {
  const { newModel: own } = texts.value;
  const { value, problem, isLoading, again } = answer;
  return (
    <>
      <h2>
        {own.look} <small class="inline">{own.lookAbout}</small>
      </h2>
      {isLoading && <Waiting />}
      {problem?.code === "no_data" && <p class="quiet">{own.tooYoung}</p>}
      {problem && problem.code !== "no_data" && <ProblemNote problem={problem} again={again} />}
      {value && (
        <>
          <p class="quiet field-name">{value.name}</p>
          <FirstLook name={value.name} look={value} />
        </>
      )}
      {!isLoading && !problem && !value && <p class="quiet">{isTemplate ? own.templateLook : own.noLook}</p>}
    </>
  );
}
