// One series per value of a tag: asked where a tag of the field has several values, proposed for hosts.
import { useEffect } from "preact/hooks";
import type { BucketContentView } from "../../../api/bucket.ts";
import { parseTags } from "../../lib/bucket.ts";
import { proposeGroup } from "../../lib/fields.ts";
import { formatFields, parseFields } from "../../lib/new-model.ts";
import { TagChoice } from "../../parts/explore/tag-choice.tsx";
import { Check, Input } from "../../parts/form/controls.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { explore } from "../../state/buckets.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";

/** Series of a fleet without a limit of its own, as the server has it. */
const DEFAULT_MAX_SERIES = 1000;
/** Values of a tag that an exploration of fields lists, and those of a page of values. */
const LISTED = 20;
const PAGE = 1000;
/** Choice of no tag in the address, where one is proposed. */
const NONE = ";";

export type Tags = BucketContentView["measurements"][number]["tags"];

/** Tags of the last field that was chosen; hosts become series unless another choice was made. */
export function useTags(bucket: string | undefined): Tags | undefined {
  const { measurement, field, template } = route.value.params;
  const shown = template ? undefined : parseFields(field).at(-1);
  const key = bucket && shown ? JSON.stringify([bucket, measurement, shown]) : undefined;
  const { value: tags } = useAnswer(key, (signal) =>
    readTags(bucket!, { measurement, field: shown }, signal),
  );
  useEffect(() => {
    const { group, tags: chosen } = route.value.params;
    if (!tags || group !== undefined || chosen !== undefined) return;
    setParams({ group: formatFields(proposeGroup(tags)) || undefined });
  }, [tags]);
  return tags;
}

/** One of the series that the tags of the group part, for a first look: the first value of each. */
export function oneSeries(tags: Tags, group: string | undefined): readonly { tag: string; value: string }[] {
  const chosen = new Set(parseFields(group));
  return tags.flatMap(({ name, values: [value] }) =>
    chosen.has(name) && value !== undefined ? [{ tag: name, value }] : [],
  );
}

export function Tagging({ tags }: { tags: Tags }) {
  if (tags.length === 0) return null;
  const fixed = new Set(parseTags(route.value.params.tags).map(({ tag }) => tag));
  return (
    <>
      <Grouping tags={tags.filter(({ name, values }) => values.length > 1 && !fixed.has(name))} />
      <TagChoice tags={tags} />
    </>
  );
}

/** Tags of a field with their values, up to a page of each. */
async function readTags(
  bucket: string,
  place: { readonly measurement: string | undefined; readonly field: string | undefined },
  signal: AbortSignal,
): Promise<Tags> {
  const { measurements } = await explore(bucket, place, signal);
  const found = measurements.find(({ name }) => (name ?? undefined) === place.measurement) ?? measurements[0];
  const tags: Tags[number][] = [];
  for (const tag of found?.tags ?? []) {
    const query = { ...place, tag: tag.name, per_page: String(PAGE) };
    const long = tag.values.length < LISTED ? undefined : await explore(bucket, query, signal);
    tags.push({ name: tag.name, values: long?.measurements[0]?.tags[0]?.values ?? tag.values });
  }
  return tags;
}

function Grouping({ tags }: { tags: Tags }) {
  const { newModel: own } = texts.value;
  const { group, max, peers } = route.value.params;
  const chosen = parseFields(group);
  const toggle = (tag: string) => {
    const next = chosen.includes(tag) ? chosen.filter((each) => each !== tag) : [...chosen, tag];
    setParams({ group: formatFields(next) || NONE });
  };
  if (tags.length === 0) return null;
  return (
    <>
      <fieldset class="group-by">
        <legend>{own.seriesPer}</legend>
        {tags.map(({ name, values }) => (
          <Check
            key={name}
            label={values.length < PAGE ? own.perTag(name, values.length) : own.perTagOfMany(name, PAGE)}
            isOn={chosen.includes(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </fieldset>
      {chosen.length > 0 && (
        <div class="row">
          <Input
            label={own.maxSeries}
            class="short"
            inputMode="numeric"
            placeholder={String(DEFAULT_MAX_SERIES)}
            value={max ?? ""}
            onInput={(value) => setParams({ max: value || undefined })}
          />
          <Check
            label={own.peers}
            isOn={peers !== undefined}
            onChange={(isOn) => setParams({ peers: isOn ? "1" : undefined })}
          />
        </div>
      )}
    </>
  );
}
