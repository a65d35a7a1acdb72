// Choice of the values of tags of a bucket, in the address.
import { formatTags, parseTags } from "../../lib/bucket.ts";
import type { ExploredMeasurement } from "../../state/buckets.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { Select } from "../form/controls.tsx";

export function TagChoice({ tags }: Pick<ExploredMeasurement, "tags">) {
  const { anyValue } = texts.value.explore;
  const chosen = parseTags(route.value.params.tags);
  const choose = (tag: string, value: string) => {
    const others = chosen.filter((each) => each.tag !== tag);
    setParams({ tags: formatTags(value ? [...others, { tag, value }] : others) || undefined });
  };
  return (
    <div class="row">
      {tags.map(({ name, values }) => (
        <Select
          key={name}
          label={name}
          value={chosen.find(({ tag }) => tag === name)?.value ?? ""}
          options={[["", anyValue], ...values]}
          onChange={(value) => choose(name, value)}
        />
      ))}
    </div>
  );
}
