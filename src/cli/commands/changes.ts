// Commands of recorded changes: deployments, configuration and the like.
import type { ChangeView } from "../../api/changes/change.ts";
import { DEFAULT_KIND } from "../../core/changes/name.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly, openRangeOptions, rangeQuery } from "../command/options.ts";
import { parseSeriesTags, readSeries } from "../input/series.ts";
import { answerDone, answerTable, instantColumn } from "../output/present.ts";
import { deleteResources, yesOption } from "../work/deletion.ts";

const date = { value: "DATE" } as const;

const change = defineCommand({
  name: "change",
  group: "live detection",
  summary: "Record a change: a deployment, a new configuration",
  details: [
    "Anomalies that begin within an hour of it name it, where its tags agree with theirs.",
    "A second change with the same id replaces the first.",
  ],
  arguments: { title: { description: "What people call it, as in 'web 1.9.2'" } },
  options: {
    kind: { value: "WORD", fallback: DEFAULT_KIND, description: "deploy, config, flag, migration and so on" },
    tag: { value: "TAG=VALUE", many: true, description: "Tag of what was changed, as its series have it" },
    at: { ...date, fallback: "now", description: "When it began: a date, seconds, or relative as in now-5m" },
    end: { ...date, description: "When it was complete" },
    url: { value: "URL", description: "Page about it, such as the run of a pipeline" },
    id: { value: "ID", fallback: "a UUID", description: "Id; a change with the same id is replaced" },
  },
  examples: [
    [
      "torus change 'web 1.9.2' --tag service=web --url https://ci.example.org/runs/7",
      "the last step of a pipeline",
    ],
    ["torus change 'new checkout' --kind flag --at now-5m", "it may concern every model"],
  ],
  async run(context, { arguments: { title }, options: { tag = [], ...options } }) {
    const tags = tag.length > 0 ? parseSeriesTags(tag.join(","), "--tag") : {};
    const { kind, at, end, url, id } = options;
    const body = { ...definedOnly({ id, kind, at, end, url }), title, tags };
    const [recorded] = await context.client.call<ChangeView[]>("POST /changes", { body });
    answerDone(context, recorded, `recorded ${recorded!.id}`);
  },
});

const findChanges = defineCommand({
  name: "find-changes",
  group: "live detection",
  summary: "Find and record changes: new versions that the series of a bucket tell of",
  details: [
    "A version is new where none of the three intervals before had it.",
    "The same search finds the same changes, each recorded once.",
  ],
  arguments: { bucket: { description: "Name of the bucket" } },
  options: {
    by: { value: "TAGS", required: true, description: "Tags of what has versions, as in service,env" },
    label: { value: "TAG", description: "Tag whose value is the version; default: the value is" },
    query: {
      value: "QUERY",
      description: "Expression of the bucket, as in 'max by (service, version) (build_info)'",
    },
    field: { value: "FIELD", description: "In place of a query: field whose greatest value counts" },
    "bucket-interval": { value: "DURATION", fallback: "1m", description: "Length of an interval" },
    from: { ...date, fallback: "now-1h", description: "Start of the range" },
    to: { ...date, fallback: "now", description: "End of the range, exclusive" },
    kind: { value: "WORD", fallback: DEFAULT_KIND, description: "Kind of the changes" },
  },
  examples: [
    [
      "torus find-changes metrics --field build_info --by service --label version",
      "deployments of the last hour",
    ],
    [
      "torus find-changes prom --query 'max by (app) (app_generation)' --by app --from now-7d --bucket-interval 10m",
      "a value that changes",
    ],
  ],
  async run(context, { arguments: { bucket }, options: { by, query, field, ...options } }) {
    const feature = query === undefined ? { metric: "max", ...definedOnly({ field }) } : { query };
    const { label, kind, from, to, "bucket-interval": bucket_interval } = options;
    const given = definedOnly({ label, kind, from, to, bucket_interval });
    const body = { bucket, feature, by: by.split(","), ...given };
    answerChanges(context, await context.client.call<ChangeView[]>("POST /changes/_find", { body }));
  },
});

const listChanges = defineCommand({
  name: "list-changes",
  group: "live detection",
  summary: "List changes, newest first",
  options: {
    ...openRangeOptions,
    kind: { value: "WORD", description: "Only changes of this kind" },
    tags: { value: "TAGS", description: "Only changes with these tags, as in service=web" },
    page: { value: "N", type: "integer", fallback: "0", description: "Page of up to 100 changes, from 0" },
  },
  examples: [["torus list-changes --from now-7d --kind deploy", "the deployments of the last week"]],
  async run(context, { options: { kind, page = 0, ...options } }) {
    const filter = definedOnly({ kind, tags: readSeries(options.tags, "--tags") });
    const query = { ...rangeQuery(options), ...filter, page, per_page: 100 };
    const changes = await context.client.call<ChangeView[]>("GET /changes", { query });
    answerChanges(context, changes);
  },
});

function answerChanges(context: Context, changes: readonly ChangeView[]): void {
  answerTable(context, changes, {
    columns: [
      instantColumn(context, "AT", { at: ({ at }) => at }),
      { title: "KIND", value: ({ kind }) => kind },
      { title: "TITLE", value: ({ title }) => title },
      { title: "TAGS", value: ({ tags }) => describeSeries(tags) },
      { title: "ID", value: ({ id }) => id },
    ],
    name: ({ id }) => id,
    empty: "no changes",
  });
}

const deleteChange = defineCommand({
  name: "delete-change",
  group: "live detection",
  summary: "Delete a change",
  arguments: { id: { description: "Id of the change, as list-changes --quiet shows it" } },
  options: yesOption,
  examples: [["torus delete-change web-1.9.2", "no anomaly names it any more"]],
  run(context, { arguments: { id }, options: { yes } }) {
    const path = `/changes/${encodeURIComponent(id)}`;
    return deleteResources(context, { noun: "change", names: [id], path, yes });
  },
});

export const changeCommands = [change, findChanges, listChanges, deleteChange];
