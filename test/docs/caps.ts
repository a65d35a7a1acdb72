// Fixed caps as rows of docs/promises.md: budgets of messages and queries, numbers of resources, single constants.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { payloadCaps } from "../../src/buckets/mqtt/payload.ts";
import { jsonCaps } from "../../src/http/framework/json-dialect.ts";
import { queryCaps } from "../../src/promql/evaluate/budget.ts";
import { otlpCaps } from "../../src/resources/receivers/otlp/metric.ts";
import { remoteWriteCaps } from "../../src/resources/receivers/remote-write/message.ts";
import { defaultLimits, type Limits } from "../../src/resources/shared/range.ts";
import type { Cap } from "../../src/runtime/work-budget.ts";
import { labelCap } from "../../src/store/anomalies/labels.ts";
import { caps } from "../../src/store/db/caps.ts";
import { root } from "./pages.ts";

/** What is bounded, the name of the cap in `details` of an error, and the number. */
export type CapRow = readonly [what: string, cap: string, most: number];

/** Budgets by the file that declares them, and what each is of. */
export const budgets: Readonly<
  Record<string, readonly (readonly [subject: string, caps: Readonly<Record<string, Cap>>])[]>
> = {
  "src/promql/evaluate/budget.ts": [["a PromQL query", queryCaps]],
  "src/resources/receivers/remote-write/message.ts": [["a push of remote write", remoteWriteCaps]],
  "src/resources/receivers/otlp/metric.ts": [["a request of OTLP", otlpCaps]],
  "src/buckets/mqtt/payload.ts": [["a JSON message of MQTT", payloadCaps]],
  "src/http/framework/json-dialect.ts": [["a JSON body of settings", jsonCaps]],
};

/** Caps on resources by the file that declares them. */
export const resources: Readonly<Record<string, readonly { readonly max: number; readonly noun: string }[]>> =
  {
    "src/store/db/caps.ts": Object.values(caps),
    "src/store/anomalies/labels.ts": [labelCap],
  };

const requests: Readonly<Record<keyof Limits, string>> = {
  pointsPerWrite: "points of one `_write`",
  valuesPerRead: "values of one read, backtest or training: intervals times features",
  valuesPerEvaluation: "values of one evaluation: intervals times features",
  valuesPerForecast: "values of one forecast: intervals times features",
  pointsPerSeries: "points of one `_detect` or `_predict`, and intervals they reach over",
};

/** Constants by file and name, and what they bound; a page, or a list of tags, has several. */
export const constants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "src/core/series/names.ts": {
    MAX_NAME: "characters of the name of a measurement, a field or a tag",
    MAX_TAG_VALUE: "characters of the value of a tag",
    MAX_TAGS: "tags of a series",
    MAX_FIELDS: "fields of a point",
  },
  "src/core/series/metric-metadata.ts": {
    "metadataCaps.metrics": "metrics of one bucket whose type, help and unit are kept",
    "metadataCaps.helpCharacters": "characters of a help that are kept",
  },
  "src/buckets/shared/point.ts": {
    MAX_TEXT_LENGTH: "characters of a text in a point of `_write`",
    MAX_FEATURES: "features of one read",
  },
  "src/buckets/line-protocol/reader.ts": { MAX_LINE: "characters of a line of line protocol" },
  "src/buckets/mqtt/subscribe.ts": { MAX_PAYLOAD_BYTES: "bytes of a message of MQTT" },
  "src/buckets/mqtt/topic.ts": { MAX_TAGS: "tags that a topic of MQTT names" },
  "src/resources/receivers/otlp/metric.ts": {
    MAX_BINS: "buckets of a histogram, or quantiles of a summary, of OTLP",
    MAX_POINT_FIELDS: "fields of a point or a resource of OTLP, its attributes included",
    MAX_RESOURCE_ATTRIBUTES: "attributes of a resource of OTLP that are read",
    MAX_ATTRIBUTE_DEPTH: "nesting of the value of an attribute of OTLP",
  },
  "src/promql/language/parse.ts": {
    MAX_LENGTH: "characters of a PromQL query",
    MAX_DEPTH: "nesting of a PromQL query",
  },
  "src/promql/language/regex.ts": {
    MAX_LENGTH: "characters of a regular expression of PromQL",
    MAX_GROUPS: "groups of a regular expression of PromQL",
  },
  "src/store/bin/move.ts": {
    "binCaps.entries": "entries of the bin: beyond them the oldest are deleted for good",
    "binCaps.bytes":
      "bytes of the bin, points of `local` buckets included: beyond them the oldest are deleted for good",
  },
  "src/resources/related/movers.ts": {
    MAX_DEVIATIONS: "deviations of a window that related series are looked for in, the strongest",
    MAX_MOVERS: "series that are ranked as related to an anomaly, the strongest",
  },
  "src/resources/related/told-cause.ts": {
    MAX_PER_MINUTE: "notifications of a minute that name a probable cause",
  },
  "src/resources/related/scans.ts": { MAX_INTERVALS: "intervals of the window of a scan for related series" },
  "src/jobs/handlers/scan/index.ts": { MAX_SCANNED: "series that a scan for related ones scores" },
  "src/jobs/handlers/scan/sources.ts": { MAX_FIELDS: "fields that a scan for related series reads" },
  "src/store/bin/models.ts": {
    MAX_SCORE_BLOCKS: "blocks of recorded scores of a model that the bin keeps",
    MAX_DEVIATIONS: "deviations of a model that the bin keeps",
  },
  "src/resources/promql/request.ts": { MAX_POINTS: "steps of a range of PromQL" },
  "src/resources/promql/model-forecasts.ts": {
    MAX_HORIZON: "intervals ahead of a forecast that PromQL reads",
  },
  "src/resources/promql/promql.ts": {
    RUNNING: "queries of PromQL that run at a time",
    MAX_OPEN: "queries of PromQL that run, wait, or have their answer read",
  },
  "src/resources/promql/open-answers.ts": { MAX_BYTES: "bytes of all answers of PromQL that are being read" },
  "src/live/capacity/judge.ts": {
    MAX_INTERVALS: "intervals of the history that a date of `GET /capacity` rests on",
  },
  "src/live/subject-watch.ts": {
    PER_MINUTE:
      "series of a fleet whose dates or budgets are requested, per minute until the next evaluation",
    MAX_REMEMBERED: "series whose last date, or last budget, is remembered by the live loop",
  },
  "src/live/budget/judge.ts": { MAX_STEPS: "steps that the window of an error budget is read in" },
  "src/resources/budgets.ts": {
    MAX_LISTED: "entries of `GET /budgets` without pages",
    MAX_WAITING: "requests of `GET /models/{name}/budgets` that read or wait",
  },
  "src/http/routes/anomalies/github.ts": { MAX_BYTES: "bytes of a webhook of GitHub" },
  "src/resources/found-changes/request.ts": { MAX_INTERVALS: "intervals of a search for changes" },
  "src/resources/found-changes/index.ts": {
    MAX_SERIES: "series of a search for changes",
    MAX_SEARCHES: "searches for changes at the same time",
  },
  "src/resources/capacity.ts": { MAX_LISTED: "entries of `GET /capacity` without pages" },
  "src/core/calendar/settings.ts": { MAX_TEXT: "characters of a calendar" },
  "src/core/calendar/parse.ts": {
    MAX_EVENTS: "events of a calendar",
    MAX_SKIPPED: "skipped events of a calendar that are named",
  },
  "src/core/calendar/load.ts": {
    MAX_OCCURRENCES: "occurrences of the events of a calendar in a year",
    MAX_STEPS: "steps to find the occurrences of the events of a calendar in a year",
  },
  "src/core/calendar/components.ts": { MAX_LINE: "characters of a line of a calendar" },
  "src/core/calendar/parse-rule.ts": { MAX_LIST: "values of one part of a rule of a calendar" },
  "src/core/calendar/zone-definitions.ts": { MAX_ZONES: "time zones that a calendar defines" },
  "src/core/calendar/zone.ts": {
    MAX_SWITCHES: "changes of the clock in a year of a zone that a calendar defines",
  },
  "src/core/calendar/zones.ts": { MAX_NAMES: "names of time zones in a calendar" },
  "src/core/changes/change.ts": {
    MAX_TITLE: "characters of the title of a change",
    MAX_ADDRESS: "characters of the `url` of a change",
    MAX_TAG: "characters of a tag of a change, and of its value",
    MAX_TAGS: "tags of a change",
    MAX_CHANGES: "changes of one request",
  },
  "src/store/changes/changes.ts": { MAX_KEPT_CHANGES: "changes that are kept, the newest" },
  "src/resources/report/index.ts": {
    MAX_ALARMS: "alarms of a range that a report reads, and of the range before, the newest",
    MAX_RANGE_DAYS: "days of the range of a report",
  },
  "src/resources/report/incidents.ts": {
    MAX_GROUPED: "anomalies that a report groups, the worst",
    MAX_INCIDENTS: "incidents of a report, the worst",
  },
  "src/resources/report/noisiest.ts": {
    MAX_JUDGED: "judged alarms of the noisiest models that a report reads, the newest",
  },
  "src/core/time/holidays.ts": { MAX_TEXT: "characters of `holidays.ical`" },
  "src/core/model/fleet.ts": {
    MAX_SERIES: "series of a model with `group_by`, or of a read",
    MAX_TAGS: "tags of `group_by`",
  },
  "src/core/model/migration/mutes.ts": {
    MAX_WINDOWS: "mute windows of a model that a template's models become",
  },
  "src/core/model/watch-forecast.ts": { MAX_INTERVALS: "intervals ahead of `watch_forecast`" },
  "src/core/anomaly/notify-after.ts": { MAX_INTERVALS: "intervals of `notify_after`" },
  "src/core/time/schedule.ts": { MAX_COUNT: "intervals between two runs of a scheduled job, its `count`" },
  "src/resources/models/bundle.ts": { MAX_BLOCKS: "blocks of some 100 series in a bundle" },
  "src/resources/models/bundle-block.ts": {
    MAX_BLOCK_BYTES: "bytes of a block of a bundle, unpacked",
    MAX_BLOCK_VALUES: "values of a block of a bundle",
  },
  "src/resources/models/bundle-series.ts": { MAX_BYTES: "bytes of all blocks of a bundle, unpacked" },
  "src/resources/models/params.ts": { MAX_LEVELS: "levels of a forecast" },
  "src/resources/backtests/labels.ts": { MAX_LABELS: "labels of a backtest" },
  "src/resources/detections/azure-request.ts": {
    MAX_POINTS: "points of a request of the Azure AI Anomaly Detector",
    MAX_INTERVALS: "intervals that these points reach over",
  },
  "src/resources/detections/stored-request.ts": { MAX_INTERVALS: "intervals of `_detect` in a bucket" },
  "src/resources/detections/stored.ts": { MAX_ANOMALIES: "anomalies of an answer of `_detect` in a bucket" },
  "src/resources/detections/bucket-detections.ts": { MAX_OPEN: "detections in buckets that run or wait" },
  "src/resources/series/index.ts": { MAX_READS: "reads of `_series` that run or wait" },
  "src/resources/tokens/index.ts": { MAX_TOKENS: "tokens" },
  "src/resources/events/index.ts": {
    MAX_STREAMS: "streams of `/events`",
    MAX_STREAMS_PER_CLIENT: "streams of `/events` of one token, or of one address without tokens",
    RING: "events kept for a client that comes back",
  },
  "src/cli/presets/preset.ts": {
    MAX_PRESET_MODELS: "models of a preset",
    MAX_SKIPS: "values of a tag that a model of a preset skips",
  },
  "src/cli/presets/read.ts": { MAX_PRESET_FILES: "presets of a folder" },
  "src/resources/events/subscription.ts": { MAX_WAITING: "events that a client of `/events` has not read" },
  "src/resources/jobs/filter.ts": { MAX_NAMES: "names in a filter of jobs" },
  "src/core/input/listing.ts": { MAX_FIELDS: "names in `fields`" },
  "src/store/jobs/transitions.ts": { MAX_KEPT_INPUT: "bytes of the input of a job that can be retried" },
  "src/mcp/message.ts": { MAX_VALUES: "values of a message of `/mcp` beside the arguments of a tool" },
  "src/mcp/tools/forecast.ts": { "rowLimits.most": "rows of `forecast` of `/mcp`" },
  "src/mcp/tools/read-bucket.ts": {
    "rowLimits.most": "rows of `read_bucket` of `/mcp`",
    "seriesLimits.most": "series of `read_bucket` of `/mcp`",
  },
  "src/mcp/tools/train-model.ts": { "waits.most": "seconds that `train_model` of `/mcp` waits" },
  "src/mcp/tools/detect-points.ts": {
    MAX_SHOWN: "anomalous points of an answer of `detect_points` of `/mcp`",
  },
  "src/mcp/arguments.ts": { "pageSizes.most": "entries of a page of `/mcp`" },
  "src/core/formats/csv-reader.ts": { MAX_ROW_LENGTH: "characters of a row of CSV" },
  "src/core/formats/csv/table-names.ts": { MAX_COLUMNS: "columns of CSV" },
  "src/core/formats/csv/columns.ts": { MAX_VALUES: "different texts of a column of CSV that names series" },
  "src/buckets/csv/files.ts": { MAX_FILES: "files of a bucket of kind `csv`" },
  "src/buckets/csv/read.ts": {
    MAX_HELD: "values of rows out of order that a read of a bucket of kind `csv` holds",
  },
  "src/buckets/opentsdb/store.ts": { MAX_METRICS: "metrics of an exploration of OpenTSDB" },
  "src/buckets/shared/per-series.ts": { MAX_SERIES: "series that a metric such as `increase` tells apart" },
};

/** The value of a constant in a source, as `NAME`, or `NAME.key` of an object. @throws where there is none */
export function constantOf(path: string, name: string): number {
  const source = readFileSync(join(root, path), "utf8");
  const [constant = "", key] = name.split(".");
  const [, list, values] =
    /^export const \[([A-Z_, ]+)\] = \[([\d_, ]+)\];/m.exec(filterFor(source, constant)) ?? [];
  const text =
    list === undefined
      ? new RegExp(`^(?:export )?const ${constant}(?:: \\w+)? = (.+?)(?: as const)?;$`, "m").exec(source)?.[1]
      : values!.split(",")[list.split(", ").indexOf(constant)];
  const found = key ? new RegExp(`\\b${key}: ([\\d_]+)`).exec(text ?? "")?.[1] : text;
  if (!/^[\d_ *]+$/.test(found ?? "")) throw new Error(`${path}: no number ${name}`);
  return found!
    .split("*")
    .map((part) => Number(part.trim().replaceAll("_", "")))
    .reduce((a, b) => a * b);
}

/** The lines that name a constant. */
function filterFor(source: string, constant: string): string {
  return source
    .split("\n")
    .filter((line) => new RegExp(`\\b${constant}\\b`).test(line))
    .join("\n");
}

/** All rows, in the order of the page. */
export function listCaps(): CapRow[] {
  const ofRequests = Object.entries(requests).map(
    ([name, what]): CapRow => [what, "", defaultLimits[name as keyof Limits]],
  );
  const ofBudgets = Object.values(budgets)
    .flat()
    .flatMap(([subject, declared]) =>
      Object.entries(declared).map(
        ([name, { verb, noun, most }]): CapRow => [`${subject} ${verb} … ${noun}`, `\`${name}\``, most],
      ),
    );
  const ofResources = Object.values(resources)
    .flat()
    .map(({ noun, max }): CapRow => [noun.replace("this model", "one model"), "", max]);
  const ofConstants = Object.entries(constants).flatMap(([path, named]) =>
    Object.entries(named).map(([name, what]): CapRow => [what, "", constantOf(path, name)]),
  );
  return [...ofRequests, ...ofResources, ...ofBudgets, ...ofConstants];
}
