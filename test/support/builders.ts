// Builders of settings: valid ones, of which a test names only the keys it is about.
import type { BucketSettings } from "../../src/core/model/bucket-settings.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";
import type { NewNode } from "../../src/store/postgres/nodes.ts";

/** Settings of a model with one feature, `avg` of `v` in the bucket `b`. */
export function aModel(own: Partial<ModelSettings> = {}): ModelSettings {
  return {
    name: "m",
    type: "donut",
    default_bucket: "b",
    bucket_interval: "1m",
    features: [{ name: "v", metric: "avg", field: "v" }],
    ...own,
  };
}

/** Settings of a `local` bucket. */
export function aBucket(own: Partial<BucketSettings> = {}): BucketSettings {
  return { name: "b", type: "local", ...own };
}

/** A node that does all work. */
export function aNode(own: Partial<NewNode> = {}): NewNode {
  return {
    ...{ id: "n1", storage: "s1", name: "n1", host: "h1", address: "", version: "2.1.0" },
    ...{ work: ["live", "jobs"], settingsHash: "0", startedAt: 1 },
    ...own,
  };
}
