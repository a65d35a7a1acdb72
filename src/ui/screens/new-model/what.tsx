// Step two: fields, tags, metric and interval.
import { useEffect } from "preact/hooks";
import type { BucketContentView } from "../../../api/bucket.ts";
import { formatSpan } from "../../lib/format.ts";
import { parseFields } from "../../lib/new-model.ts";
import { buildRoute } from "../../lib/route.ts";
import { FieldList } from "../../parts/explore/field-list.tsx";
import { Select } from "../../parts/form/controls.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import type { Answer } from "../../parts/use-answer.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { kinds, needKinds } from "../../state/kinds.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { Tagging, type Tags } from "./grouping.tsx";
import { Step } from "./step.tsx";

const intervals = ["10s", "30s", "1m", "5m", "10m", "15m", "30m", "1h", "3h", "6h", "1d"];
interface WhatProps {
  readonly bucket: string | undefined;
  readonly content: Answer<BucketContentView>;
  /** Interval of the first look, seconds. */
  readonly found: number | undefined;
  /** Metric that fits the fields. */
  readonly proposed: string;
  /** Of the last field. */
  readonly tags: Tags | undefined;
}

export function What({ bucket, content, found, proposed, tags }: WhatProps) {
  const { newModel: own } = texts.value;
  const { field } = route.value.params;
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
      {content.value && count === 0 && <p class="quiet">{own.noPoints}</p>}
      {bucket && content.value && count > 0 && (
        <FieldList bucket={bucket} content={content.value} label={own.what} />
      )}
      {field && tags && <Tagging tags={tags} />}
      {field && <Aggregation found={found} proposed={proposed} />}
    </Step>
  );
}

function Aggregation({ found, proposed }: Pick<WhatProps, "found" | "proposed">) {
  useEffect(needKinds, []);
  const { newModel: own } = texts.value;
  const { metric = proposed, every, field, each } = route.value.params;
  const metrics = kinds.loaded.value.value?.metrics.map(({ name }) => name) ?? [metric];
  const automatic = found !== undefined && !every ? own.proposed(formatSpan(found * 1000)) : own.automatic;
  return (
    <>
      {metric === "rate" && proposed === "rate" && <p class="quiet">{own.counter}</p>}
      <div class="row">
        <Select
          label={own.as}
          value={metric}
          options={metrics}
          onChange={(chosen) => setParams({ metric: chosen })}
        />
        <Select
          label={own.every}
          value={every ?? ""}
          options={[["", automatic], ...intervals]}
          onChange={(chosen) => setParams({ every: chosen || undefined })}
        />
        {parseFields(field).length > 1 && (
          <Select
            label={own.several}
            value={each ?? ""}
            options={[
              ["", own.together],
              ["1", own.apart],
            ]}
            onChange={(chosen) => setParams({ each: chosen || undefined })}
          />
        )}
      </div>
    </>
  );
}
