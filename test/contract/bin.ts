// Contract rows of /bin: a deletion answers as before, and can be undone.
import { type Row, refuses, type Table } from "./suite.ts";

const features = [{ name: "load", metric: "avg", field: "load" }];
const model = { name: "n_a", type: "donut", default_bucket: "n_b", bucket_interval: "5m", features };
const hook = {
  type: "webhook",
  name: "n_h",
  config: { url: "https://hooks.example.com/n-s3cret-marker" },
};
const unknown = "3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10";
const lists = (shows: string, parts: Record<string, string>): Row => ({
  shows,
  request: "GET /bin",
  status: 200,
  lacks: ["n-s3cret-marker", "config"],
  keepParts: parts,
});

const rows: readonly Row[] = [
  { shows: "a bucket", request: "POST /buckets", body: { name: "n_b", type: "local" }, status: 201 },
  { shows: "a model", request: "POST /models", body: model, status: 201 },
  { shows: "a hook with a secret", request: "PUT /models/n_a/hooks", body: hook, status: 201 },
  {
    shows: "a deleted model, with the id of its entry in a header",
    request: "DELETE /models/n_a",
    status: 204,
    type: null,
    holds: ["torus-bin-id"],
  },
  { shows: "it is gone", request: "GET /models/n_a", status: 404, has: { code: "not_found" } },
  lists("the entry, without settings", { n_model: "0.id" }),
  { shows: "its name is free", request: "POST /models", body: model, status: 201 },
  refuses("a name that is taken", "POST /bin/$n_model/_restore", {
    status: 409,
    code: "already_exists",
    holds: ["model n_a exists", "?name="],
  }),
  refuses("a name that cannot be", "POST /bin/$n_model/_restore?name=a%2Fb", { path: "name" }),
  refuses("one name for several entries", `POST /bin/$n_model;${unknown}/_restore?name=x`, { path: "name" }),
  {
    shows: "another name",
    request: "POST /bin/$n_model/_restore",
    body: { name: "n_c" },
    status: 200,
    is: [{ kind: "model", name: "n_c" }],
  },
  { shows: "its hook", request: "GET /models/n_c/hooks", status: 200, is: ["n_h"] },
  refuses("an entry that was restored", "POST /bin/$n_model/_restore", {
    status: 404,
    code: "not_found",
    holds: ["server.bin"],
  }),
  {
    shows: "a deleted hook answers as ever",
    request: "DELETE /models/n_c/hooks/n_h",
    status: 200,
    is: "success",
  },
  { shows: "several models", request: "DELETE /models/n_a;n_c", status: 204, type: null },
  {
    shows: "entries of one request, in pages",
    request: "GET /bin?page=0&per_page=2",
    status: 200,
    has: [
      { kind: "model", name: "n_a" },
      { kind: "model", name: "n_c" },
    ],
    keepParts: { n_first: "0.id", n_second: "1.id" },
  },
  lists("the hook", { n_hook: "2.id" }),
  refuses("a hook without its model", "POST /bin/$n_hook/_restore", {
    status: 404,
    code: "not_found",
    holds: ["restore the model first"],
  }),
  refuses("one of two is unknown", `POST /bin/$n_first;${unknown}/_restore`, { status: 404 }),
  {
    shows: "model and hook together",
    request: "POST /bin/$n_hook;$n_second/_restore",
    status: 200,
    is: [
      { kind: "model", name: "n_c" },
      { kind: "hook", name: "n_h", model: "n_c" },
    ],
  },
  { shows: "an entry deleted for good", request: "DELETE /bin/$n_first", status: 204, type: null },
  refuses("which is gone then", "DELETE /bin/$n_first", { status: 404, code: "not_found" }),
  { shows: "and cleans up", request: "DELETE /models/n_c", status: 204, type: null },
  { shows: "the bucket too", request: "DELETE /buckets/n_b", status: 204, type: null },
];

export const bin: Table = { noun: "bin", rows };
