// Benchmark: cost of single parts of a request, beside the whole in the same process.
import { FormatRegistry, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { TrainingJob } from "../../src/api/job.ts";
import { digestOf } from "../../src/core/access/token.ts";
import { describeRequest } from "../../src/http/framework/request-context.ts";
import { createFakeApp } from "../support/fake-app.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { timeTogether } from "./time.ts";

const TIMES = 200_000;
const ROUNDS = { warmUp: 3, rounds: 9 };
const URL = "http://127.0.0.1/models?page=0";

const job = {
  id: "283f1820-f94b-4960-b8f7-3b05eb6156fa",
  type: "write",
  state: "done",
  result: null,
  duration: 0.5,
  start_date: "2026-11-20T00:00:00.000Z",
  start_timestamp: 1_795_132_800,
  end_date: "2026-11-20T00:00:00.500Z",
  end_timestamp: 1_795_132_800.5,
};

/** Result of the last round, kept so that the computation is not optimised away. */
let last: unknown;

function many(work: () => unknown): () => Promise<void> {
  return async () => {
    for (let i = 0; i < TIMES; i++) last = await work();
  };
}

export const httpParts: Part = {
  name: "http-parts",
  title: "Parts of a request, by themselves and in one process (each with the 0.1 µs of a loop that waits)",
  run: async () => {
    // The text does not matter: the walk through the schema is timed.
    for (const format of ["uuid", "date-time"]) FormatRegistry.Set(format, (text) => text.length > 0);
    const schema = TypeCompiler.Compile(Type.Array(TrainingJob));
    for (const format of ["uuid", "date-time"]) FormatRegistry.Delete(format);
    const app = createFakeApp();
    const request = new Request(URL);
    const works: [string, () => unknown][] = [
      ["GET /, all of it but the socket", () => app.handle(new Request("http://127.0.0.1/"))],
      ["a request object", () => new Request(URL)],
      ["a request's id, method and path", () => describeRequest(request)],
      ["of that, the id", () => crypto.randomUUID()],
      ["a check of the answer by its schema (not done)", () => schema.Check([job])],
      ["the digest of a bearer token", () => digestOf("torus_0123456789012345678901234567890123456789012")],
    ];
    const timings = await timeTogether(
      works.map(([, work]) => many(work)),
      ROUNDS,
    );
    if (last === undefined) throw new Error("the last part has no result");
    return works.map(([part], i): Row => ({ part, "CPU µs": (timings[i]!.cpuMs * 1000) / TIMES }));
  },
};

if (import.meta.main) await runAlone(httpParts);
