// Step two: measurement, fields, tags, metric and interval.
import { useEffect } from "preact/hooks";
import type { BucketContentView } from "../../../api/bucket.ts";
import { formatSpan } from "../../lib/format.ts";
import { formatFields, parseFields } from "../../lib/new-model.ts";
import { buildRoute } from "../../lib/route.ts";
import { FieldSearch, TagChoice } from "../../parts/explore.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import type { Answer } from "../../parts/use-answer.ts";
import { Waiting } from "../../parts/waiting.tsx";
import type { ExploredMeasurement } from "../../state/buckets.ts";
import { kinds, needKinds } from "../../state/kinds.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { Step } from "./step.tsx";

const intervals = ["10s", "30s", "1m", "5m", "10m", "15m", "30m", "1h", "3h", "6h", "1d"];
/** Series of a fleet without a limit of its own, as the server has it. */
const DEFAULT_MAX_SERIES = 1000;
/** Fields beyond which a search helps. */
const MANY = 12;

interface WhatProps {
  readonly bucket: string | undefined;
  readonly content: Answer<BucketContentView>;
  /** Interval of the first look, seconds. */
  readonly found: number | undefined;
}

export function What({ bucket, content, found }: WhatProps) {
  const { newModel: own } = texts.value;
  const { field, search } = route.value.params;
  const list = content.value?.measurements ?? [];
  const count = list.reduce((sum, { fields }) => sum + fields.length, 0);
  return (
    <Step number={2} title={own.what} isDone={field !== undefined}>
      {!bucket && <p class="quiet">{own.firstBucket}</p>}
      {content.isLoading && <Waiting />}
      {content.problem && (
        <>
          <ProblemNote problem={content.problem} again={content.again} />
          {bucket && <a href={buildRoute(["buckets", bucket])}>{own.toBucket}</a>}
        </>
      )}
      {(count > MANY || search || content.value?.truncated) && <FieldSearch />}
      {content.value && count === 0 && <p class="quiet">{search ? own.noneFound : own.noPoints}</p>}
      <Measurements list={list} />
      {field && <Aggregation found={found} />}
    </Step>
  );
}

function Measurements({ list }: { list: readonly ExploredMeasurement[] }) {
  const { measurement: chosen } = route.value.params;
  const named = list.filter(({ name }) => name !== null);
  const shown =
    list.find(({ name }) => (name ?? undefined) === chosen) ?? (list.length === 1 ? list[0] : undefined);
  return (
    <>
      {named.length > 0 && (
        <div class="chips">
          {named.map(({ name }) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={name === chosen}
              onClick={() =>
                setParams({
                  measurement: name === chosen ? undefined : name!,
                  field: undefined,
                  tags: undefined,
                  group: undefined,
                  name: undefined,
                })
              }
            >
              {name}
            </button>
          ))}
        </div>
      )}
      {shown && <Fields measurement={shown} />}
    </>
  );
}

function Fields({ measurement: { name, fields, tags } }: { measurement: ExploredMeasurement }) {
  const { field } = route.value.params;
  const chosen = parseFields(field);
  const toggle = (key: string) => {
    const next = chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key];
    setParams({ measurement: name ?? undefined, field: formatFields(next) || undefined, name: undefined });
  };
  return (
    <>
      <div class="chips">
        {fields.map(({ name: key }) => (
          <button
            key={key}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(key)}
            onClick={() => toggle(key)}
          >
            {key}
          </button>
        ))}
      </div>
      {chosen.length > 0 && tags.length > 0 && (
        <>
          <TagChoice tags={tags} />
          <Grouping names={tags.map(({ name: tag }) => tag)} />
        </>
      )}
    </>
  );
}

/** Tags that part the model into series, and how a fleet of them is watched. */
function Grouping({ names }: { names: readonly string[] }) {
  const { newModel: own } = texts.value;
  const { group, max, peers } = route.value.params;
  const chosen = parseFields(group);
  const toggle = (tag: string) => {
    const next = chosen.includes(tag) ? chosen.filter((each) => each !== tag) : [...chosen, tag];
    setParams({ group: formatFields(next) || undefined });
  };
  return (
    <>
      <fieldset class="row">
        <legend>{own.seriesPer}</legend>
        {names.map((tag) => (
          <label key={tag} class="check">
            <input type="checkbox" checked={chosen.includes(tag)} onChange={() => toggle(tag)} /> {tag}
          </label>
        ))}
      </fieldset>
      {chosen.length > 0 && (
        <div class="row">
          <label>
            {own.maxSeries}{" "}
            <input
              class="short"
              inputMode="numeric"
              placeholder={String(DEFAULT_MAX_SERIES)}
              value={max ?? ""}
              onInput={({ currentTarget }) => setParams({ max: currentTarget.value || undefined })}
            />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={peers !== undefined}
              onChange={({ currentTarget }) => setParams({ peers: currentTarget.checked ? "1" : undefined })}
            />{" "}
            {own.peers}
          </label>
        </div>
      )}
    </>
  );
}

function Aggregation({ found }: { found: number | undefined }) {
  useEffect(needKinds, []);
  const { newModel: own } = texts.value;
  const { metric = "avg", every, field, each } = route.value.params;
  const metrics = kinds.loaded.value.value?.metrics.map(({ name }) => name) ?? [metric];
  return (
    <div class="row">
      <label>
        {own.as}{" "}
        <select value={metric} onChange={({ currentTarget }) => setParams({ metric: currentTarget.value })}>
          {metrics.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {own.every}{" "}
        <select
          value={every ?? ""}
          onChange={({ currentTarget }) => setParams({ every: currentTarget.value || undefined })}
        >
          <option value="">
            {found !== undefined && !every ? own.proposed(formatSpan(found * 1000)) : own.automatic}
          </option>
          {intervals.map((interval) => (
            <option key={interval} value={interval}>
              {interval}
            </option>
          ))}
        </select>
      </label>
      {parseFields(field).length > 1 && (
        <label>
          {own.several}{" "}
          <select
            value={each ?? ""}
            onChange={({ currentTarget }) => setParams({ each: currentTarget.value || undefined })}
          >
            <option value="">{own.together}</option>
            <option value="1">{own.apart}</option>
          </select>
        </label>
      )}
    </div>
  );
}
