// Parts of a content of a bucket: search of fields, choice of tags; both in the address.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatTags, parseTags } from "../lib/bucket.ts";
import type { ExploredMeasurement } from "../state/buckets.ts";
import { texts } from "../state/preferences.ts";
import { route, setParams } from "../state/route.ts";
import { Select } from "./form/controls.tsx";

/** Milliseconds without a key before a search is sent. */
const TYPING_MS = 300;

/** What is typed at once; the address follows. */
export function useTypedSearch() {
  const typed = useSignal(route.value.params.search ?? "");
  useEffect(() => {
    if (typed.value === (route.value.params.search ?? "")) return;
    const timer = setTimeout(() => setParams({ search: typed.value || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return typed;
}

export function FieldSearch() {
  const { search } = texts.value.explore;
  const typed = useTypedSearch();
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
