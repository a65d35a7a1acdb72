// Contract rows of export and import; a move between two servers is in test/e2e.
import pack from "../../package.json" with { type: "json" };
import { aModel } from "../support/builders.ts";
import { dailyWave, type Row, refuses, type Table } from "./suite.ts";

const HOUR = 3600;
const points = dailyWave(10).map((point, i) => ({ ...point, hits: i % 24 }));
const feature = (field: string) => ({ name: `avg_${field}`, metric: "avg", field });
const features = [feature("load"), feature("hits")];
const settings = aModel({ name: "c_mv", default_bucket: "c_mv", bucket_interval: "1h", span: 12, features });
const octets = "application/octet-stream";

const rows: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /models/c_mv", status: [204, 404] },
  { shows: "a clean start", request: "DELETE /models/c_mv2", status: [204, 404] },
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_mv", type: "local" }, status: 201 },
  { shows: "points", request: "POST /buckets/c_mv/_write", body: points, status: 202, job: "done" },
  { shows: "a model", request: "POST /models", body: settings, status: 201 },
  refuses("untrained, there is nothing to export", "GET /models/c_mv/_export", { code: "not_trained" }),
  {
    shows: "trained",
    request: `POST /models/c_mv/_train?from=0&to=${240 * HOUR}&max_evals=1&epochs=2`,
    status: 200,
    job: "done",
  },
  refuses("of several features one must be named", "GET /models/c_mv/_export", {
    path: "feature",
    holds: ["avg_load, avg_hits"],
  }),
  {
    shows: "a network as a file",
    request: "GET /models/c_mv/_export?feature=avg_hits",
    status: 200,
    type: octets,
    holds: ["c_mv-00-avg_hits.onnx", "reject_above"],
  },
  {
    shows: "of a version",
    request: "GET /models/c_mv/_export?feature=avg_load&version=00",
    status: 200,
    type: octets,
  },
  { shows: "of no version", request: "GET /models/c_mv/_export?version=07", status: 404, holds: ["07"] },
  refuses("in no format", "GET /models/c_mv/_export?format=pickle", { path: "format" }),
  {
    shows: "a bundle",
    request: "GET /models/c_mv/_export?format=bundle",
    status: 200,
    has: { format: "torus-model", format_version: 1, settings, version: { name: "00", settings } },
    lacks: ["null"],
    keepParts: { bundle: "" },
  },
  {
    shows: "an import of the bundle under another name",
    request: "POST /models/_import?name=c_mv2",
    body: "$bundle",
    status: 201,
    is: "success",
  },
  {
    shows: "the imported model is trained",
    request: "GET /models/c_mv2",
    status: 200,
    has: [{ settings: { ...settings, name: "c_mv2" }, state: { trained: true, bucket_interval: HOUR } }],
  },
  {
    shows: "the imported model forecasts",
    request: `POST /models/c_mv2/_forecast?from=${240 * HOUR}&to=${242 * HOUR}`,
    status: 200,
    has: { timestamps: [240 * HOUR, 241 * HOUR] },
  },
  {
    shows: "an import of a name that exists",
    request: "POST /models/_import?name=c_mv2",
    body: "$bundle",
    status: 409,
    has: { code: "already_exists" },
  },
  { shows: "the imported model can be deleted", request: "DELETE /models/c_mv2", status: 204 },
  refuses("an import of something else", "POST /models/_import", {
    path: "format",
    body: settings,
    holds: ["format=bundle"],
  }),
  refuses("an import of half a bundle", "POST /models/_import?name=c_mv2", {
    path: "version",
    body: { format: "torus-model", format_version: 1, exported_by: pack.version, settings },
  }),
  { shows: "nothing was imported", request: "GET /models/c_mv2", status: 404 },
  { shows: "tidy up", request: "DELETE /models/c_mv", status: 204 },
  { shows: "tidy up", request: "DELETE /buckets/c_mv", status: 204 },
];

export const modelTransfer: Table = { noun: "moving models", rows };
