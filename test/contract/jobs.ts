// Contract rows of /jobs.
import { aModel } from "../support/builders.ts";
import { refuses, type Table } from "./suite.ts";

const unknown = "00000000-0000-4000-8000-000000000000";
const points = Array.from({ length: 2000 }, (_, i) => ({ timestamp: i * 60, load: Math.sin(i / 10) }));
const features = [{ name: "load", metric: "avg", field: "load" }];
const settings = aModel({ name: "c_long", default_bucket: "c_jobs", span: 20, features });

export const jobs: Table = {
  noun: "jobs",
  rows: [
    { shows: "a clean start", request: "DELETE /models/c_long", status: [204, 404] },
    { shows: "a bucket", request: "POST /buckets", body: { name: "c_jobs", type: "local" }, status: 201 },
    {
      shows: "a job",
      request: "POST /buckets/c_jobs/_write",
      body: points,
      status: 202,
      keep: "write",
      job: "done",
    },
    {
      shows: "one id is a list of one, result always there",
      request: "GET /jobs/$write",
      status: 200,
      has: [{ type: "write", state: "done", result: null }],
      lacks: ['"error"', '"progress"', '"model"'],
    },
    {
      shows: "ids in the order of the URL",
      request: "GET /jobs/$write;$write",
      status: 200,
      has: [{ state: "done" }, { state: "done" }],
    },
    {
      shows: "without the result",
      request: "GET /jobs/$write?fields=result&include_fields=False",
      status: 200,
      lacks: ['"result"'],
    },
    {
      shows: "the result alone",
      request: "GET /jobs/$write?fields=result&include_fields=True",
      status: 200,
      is: [{ result: null }],
    },
    { shows: "HEAD", request: "HEAD /jobs/$write", status: 200, type: null },
    { shows: "HEAD of an unknown one", request: `HEAD /jobs/${unknown}`, status: 404, type: null },
    { shows: "an unknown one", request: `GET /jobs/$write;${unknown}`, status: 404, holds: [unknown] },
    {
      shows: "filters by type and state; unknown parameters are ignored",
      request:
        "GET /jobs?type=write&state=done;failed&since=now-1h&sort=start_timestamp:-1&nonsense=1&per_page=1",
      status: 200,
      holds: ['[{"id":"$write"'],
    },
    refuses("a state there is not", "GET /jobs?state=ended", {
      holds: ["state: must be one of waiting, running, done, failed, canceled"],
    }),
    refuses("a type there is not", "GET /jobs?type=eval", {
      holds: ["type: must be one of training, forecast, prediction, read, write, backtest"],
    }),
    { shows: "a model without jobs", request: "GET /jobs?model=c_nobody", status: 200, is: [] },
    { shows: "an invalid date", request: "GET /jobs?since=x", status: 400, holds: ["since"] },
    {
      shows: "the list, newest first",
      request: "GET /jobs?sort=start_timestamp:-1&per_page=5",
      status: 200,
      holds: ['[{"id":"$write"'],
    },
    { shows: "past the last page", request: "GET /jobs?page=100000&per_page=100", status: 200, is: [] },
    refuses("cancel a finished one", "POST /jobs/$write/_cancel", {
      status: 409,
      code: "job_stopped",
      holds: ["job is already stopped (state = done)"],
    }),
    refuses("retry one that was successful", "POST /jobs/$write/_retry", {
      status: 409,
      code: "job_stopped",
      holds: ["it is done, not failed or canceled"],
    }),
    { shows: "retry an unknown one", request: `POST /jobs/${unknown}/_retry`, status: 404 },
    { shows: "cancel an unknown one", request: `POST /jobs/${unknown}/_cancel`, status: 404 },
    { shows: "a model", request: "POST /models", body: settings, status: 201 },
    {
      shows: "a long training",
      request: "POST /models/c_long/_train?from=0&to=120000&epochs=100000",
      status: 200,
      keep: "long",
    },
    refuses(
      "a second one of the same model is refused, naming the first",
      "POST /models/c_long/_train?from=0&to=120000",
      { status: 409, code: "training_active", holds: ["job_id"] },
    ),
    { shows: "it can be canceled", request: "POST /jobs/$long/_cancel", status: 204 },
    {
      shows: "canceled at once",
      request: "GET /jobs/$long",
      status: 200,
      has: [{ state: "canceled", model: "c_long" }],
    },
    { shows: "and not twice", request: "POST /jobs/$long/_cancel", status: 409, holds: ["state = canceled"] },
    {
      shows: "the model is free again",
      request: "POST /models/c_long/_train?from=0&to=120000&epochs=1&max_evals=1",
      status: 200,
      job: "done",
    },
    { shows: "tidy up", request: "DELETE /models/c_long", status: 204 },
    { shows: "tidy up", request: "DELETE /buckets/c_jobs", status: 204 },
  ],
};
