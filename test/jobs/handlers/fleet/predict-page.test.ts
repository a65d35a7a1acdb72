// Predictions of a fleet: pages in the order of the tags, series without data, progress, problems of the whole job.
import { beforeEach, expect, test } from "bun:test";
import { TorusError } from "../../../../src/core/errors.ts";
import type { JobProgress } from "../../../../src/core/job.ts";
import type { SeriesTags } from "../../../../src/core/model/fleet.ts";
import { predictPage } from "../../../../src/jobs/handlers/fleet/predict-page.ts";
import type { SeriesPage } from "../../../../src/jobs/queue/input.ts";
import { createModel } from "../../../../src/store/models.ts";
import { aFit, aVersion, train } from "../../../store/fleets/builders.ts";
import { codeOf, useStore } from "../../../store/temporary.ts";
import { aModel } from "../../../support/builders.ts";

const store = useStore();
beforeEach(async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  await train(store, "t", aVersion({ series: ["c", "a", "b", "d", "e"].map((host) => aFit(host)) }));
});

const problems: Record<string, TorusError> = {};
beforeEach(() => {
  for (const host of Object.keys(problems)) delete problems[host];
});

interface Asked {
  readonly page?: SeriesPage;
  readonly series?: SeriesTags;
}

function predict(asked: Asked, onProgress: (progress: JobProgress) => void = () => {}) {
  const input = { model: "m", version: "00", ...asked };
  const context = { signal: new AbortController().signal, onProgress };
  return predictPage(store, { input, context }, async (one, own) => {
    const problem = problems[one.series?.host ?? ""];
    if (problem) throw problem;
    own.onProgress({ fraction: 0.5 });
    return { seen: one.series?.host ?? null, hasPage: "page" in one };
  });
}

test("a page of series, each predicted alone, with the number on all pages", async () => {
  const entry = (host: string) => ({ tags: { host }, seen: host, hasPage: false });
  expect(await predict({ page: { number: 0, size: 2 } })).toEqual({
    series: [entry("a"), entry("b")],
    page: 0,
    per_page: 2,
    total: 5,
    ...{ timestamps: [], observed: {}, predicted: {} },
  });
  expect(await predict({ page: { number: 2, size: 2 } })).toMatchObject({ series: [entry("e")], page: 2 });
  expect(await predict({ page: { number: 3, size: 2 } })).toMatchObject({ series: [], total: 5 });
});

test("one series, and a model of one, have the answer of their own", async () => {
  expect(await predict({ series: { host: "b" } })).toEqual({ seen: "b", hasPage: false });
  expect(await predict({})).toEqual({ seen: null, hasPage: false });
});

test("a series without data is an entry of its own; a bucket that fails ends the job", async () => {
  problems.a = new TorusError("no_data", "no points");
  const page = { number: 0, size: 2 };
  expect(await predict({ page })).toMatchObject({
    series: [{ tags: { host: "a" }, code: "no_data", error: "no points" }, { seen: "b" }],
  });
  problems.b = new TorusError("bucket_unavailable", "refused");
  expect(await codeOf(predict({ page }))).toBe("bucket_unavailable");
});

test("the progress is that of the page", async () => {
  const fractions: (number | undefined)[] = [];
  await predict({ page: { number: 0, size: 2 } }, ({ fraction }) => fractions.push(fraction));
  expect(fractions).toEqual([0.25, 0.5, 0.75, 1]);
});
