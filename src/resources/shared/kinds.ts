// API schemas of buckets and hooks, collected from the registries of their kinds.
import { describeBuckets } from "../../api/bucket.ts";
import { describeHooks } from "../../api/hook.ts";
import type { KindSchemas } from "../../api/kinds.ts";
import { bucketKinds, bucketSchemas } from "../../buckets/index.ts";
import { hookKinds, hookSchemas } from "../../hooks/index.ts";

function collect(
  schemas: typeof bucketSchemas,
  kinds: Readonly<Record<string, { readonly secrets: readonly string[] }>>,
): KindSchemas {
  return new Map(
    [...schemas].map(([kind, schema]) => [kind, { schema, secrets: kinds[kind]?.secrets ?? [] }]),
  );
}

export const Bucket = describeBuckets(collect(bucketSchemas, bucketKinds));
export const Hook = describeHooks(collect(hookSchemas, hookKinds));
