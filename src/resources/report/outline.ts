// Outline of a report: its sections in words, which texts and pages lay out.
import type { ReportedIncidentView, ReportView } from "../../api/server/report.ts";
import type { Severity } from "../../core/anomaly/severity.ts";
import { sentenceOf } from "../../core/budget/words.ts";
import { nameOfChange } from "../../core/changes/name.ts";
import { tellChange } from "../../core/changes/sentence.ts";
import { formatSi, formatSpan } from "../../core/formats/readable.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { formatMoment } from "../../hooks/shared/name.ts";

export interface Row {
  readonly text: string;
  /** Page of the dashboard about it, as `/models/load`. */
  readonly page?: string;
  /** Address of that page, where the server has one. */
  readonly url?: string | undefined;
  readonly severity?: Severity;
  readonly details?: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly lead: string;
  readonly rows: readonly Row[];
}

export interface Outline {
  readonly title: string;
  /** What the reader must know first. */
  readonly notes: readonly string[];
  readonly sections: readonly Section[];
}

/** Address of a page of the dashboard; undefined where the server has none. */
type LinkTo = (page: string) => string | undefined;

/** Writes an instant, seconds since the epoch. */
type Moment = (at: number) => string;

/** @param timezone IANA name, of the instants */
export function outlineReport(report: ReportView, timezone: string, linkTo: LinkTo): Outline {
  const moment: Moment = (at) => formatMoment(at * 1000, timezone).replace(/:\d\d(?=[+-])/, "");
  const sections = [
    outlineIncidents(report, moment),
    outlineAlarms(report),
    outlineNoisiest(report),
    outlineSilent(report, moment),
    outlineChanges(report, moment),
    outlineCapacity(report, moment),
    outlineBudgets(report, moment),
  ];
  const withUrl = (row: Row): Row => (row.page === undefined ? row : { ...row, url: linkTo(row.page) });
  return {
    title: `Torus: ${moment(report.from)} to ${moment(report.to)}`,
    notes: report.truncated ? ["There were more alarms than a report reads: the newest count."] : [],
    sections: sections.map((section) => ({ ...section, rows: section.rows.map(withUrl) })),
  };
}

function outlineIncidents({ incidents: { total, list } }: ReportView, moment: Moment): Section {
  const shown = total > list.length ? `, the ${list.length} worst` : "";
  return {
    title: "What happened",
    lead: total === 0 ? "No anomalies." : `${count(total, "incident")}${shown}:`,
    rows: list.map((incident) => ({
      text: incident.summary,
      page: `${pageOfModel(incident.worst.model)}?at=${encodeURIComponent(incident.id)}`,
      severity: incident.severity,
      details: detailsOf(incident, moment),
    })),
  };
}

function detailsOf(incident: ReportedIncidentView, moment: Moment): string[] {
  const { start, end, models, anomalies, tag, anomaly, change } = incident;
  const lasted = end === null ? "lasts" : formatSpan((end - start) * 1000);
  const verdict = anomaly === undefined ? [] : [anomaly ? "confirmed" : "dismissed"];
  const facts = [
    ...[
      ...(tag === undefined ? [] : [tag]),
      `${models.length > 1 ? "models" : "model"} ${models.join(", ")}`,
    ],
    ...(anomalies > 1 ? [`${anomalies} anomalies`] : []),
    ...verdict,
  ];
  return [
    `since ${moment(start)}, ${lasted}; ${facts.join("; ")}`,
    ...(change ? [`began ${tellChange({ ...change, delayMs: change.delay * 1000 })}`] : []),
  ];
}

function outlineAlarms({ alarms }: ReportView): Section {
  const { total, confirmed, dismissed, unjudged, by_severity: levels, hours, before } = alarms;
  const busiest = hours.indexOf(Math.max(...hours));
  const rows = [
    `${confirmed} confirmed (before: ${before.confirmed}), ${dismissed} dismissed (${before.dismissed}), ${unjudged} unjudged (${before.unjudged})`,
    `${levels.critical} critical, ${levels.warning} warning, ${levels.info} info`,
    `most in the hour from ${String(busiest).padStart(2, "0")}:00 UTC: ${hours[busiest]}`,
  ];
  return {
    title: "Alarms",
    lead: `${count(total, "alarm")}; ${before.total} in the range of the same length before.`,
    rows: total === 0 ? [] : rows.map((text) => ({ text })),
  };
}

function outlineNoisiest({ noisiest }: ReportView): Section {
  return {
    title: "Noisiest models",
    lead: noisiest.length === 0 ? "No alarm is open to doubt." : "Most alarms that are not confirmed:",
    rows: noisiest.map(({ model, total, confirmed, dismissed, proposal, no_proposal: reason = "" }) => ({
      text: `${model}: ${count(total, "alarm")}, ${confirmed} confirmed, ${dismissed} dismissed`,
      page: pageOfModel(model),
      details: proposal
        ? [proposal.summary, `${proposal.method} ${proposal.path} ${JSON.stringify(proposal.body)}`]
        : [`no proposal: ${reason}`],
    })),
  };
}

function outlineSilent(report: ReportView, moment: Moment): Section {
  const { sources, failing, silent, silent_series: series } = report;
  const more = (total: number, list: readonly unknown[], what: string): Row[] =>
    total > list.length ? [{ text: `${total - list.length} more ${what}` }] : [];
  const rows: Row[] = [
    ...sources.map(({ bucket, since, message }) => ({
      text: `bucket ${bucket} since ${moment(since)}: ${message}`,
      page: `/buckets/${encodeURIComponent(bucket)}`,
    })),
    ...failing.list.map(({ model, since, message }) => ({
      text: `model ${model} failed ${moment(since)}: ${message}`,
      page: pageOfModel(model),
    })),
    ...more(failing.total, failing.list, "failing models"),
    ...silent.list.map(({ model, since }) => ({
      text: `model ${model} has no data${since === undefined ? "" : ` since ${moment(since)}`}`,
      page: pageOfModel(model),
    })),
    ...more(silent.total, silent.list, "models without data"),
    ...series.map(({ model, series }) => ({
      text: `${series} series of model ${model} ${series === 1 ? "has" : "have"} no data`,
      page: pageOfModel(model),
    })),
  ];
  return {
    title: "Silent now",
    lead: rows.length === 0 ? "All sources and models have data." : "Without data, or failing:",
    rows,
  };
}

function outlineChanges({ changes: { total, good, followed } }: ReportView, moment: Moment): Section {
  return {
    title: "Changes",
    lead:
      total === 0 && followed.length === 0
        ? "None recorded."
        : `${count(total, "change")}, ${good} without an incident after ${good === 1 ? "it" : "them"}.`,
    rows: followed.map((change) => ({
      text: `${nameOfChange(change)}, ${moment(change.at)}: ${count(change.incidents, "incident")}`,
      details: [change.summary],
    })),
  };
}

function outlineCapacity({ capacity: { total, list } }: ReportView, moment: Moment): Section {
  const shown = total > list.length ? `, the ${list.length} first` : "";
  return {
    title: "What runs full",
    lead: total === 0 ? "Nothing moves towards a limit." : `${count(total, "limit")} ahead${shown}:`,
    rows: list.map(({ model, series, feature, limit, unit, date, reasons }) => {
      const of = series ? ` (${describeSeries(series)})` : "";
      const bound = formatSi(limit.value, { unit });
      const move = date === undefined ? `moves towards ${bound}` : `reaches ${bound} at ${moment(date)}`;
      const page = `${pageOfModel(model)}${series ? "" : "/forecast"}`;
      return { text: `${model}${of}: ${feature} ${move}`, page, details: reasons };
    }),
  };
}

function outlineBudgets({ budgets: { total, list } }: ReportView, moment: Moment): Section {
  const shown = total > list.length ? `, the ${list.length} worst` : "";
  return {
    title: "Error budgets",
    lead: total === 0 ? "None." : `${count(total, "error budget")}${shown}:`,
    rows: list.map(({ model, series, feature, remaining, exhaustion: { date }, reasons }) => {
      const of = series ? ` (${describeSeries(series)})` : "";
      const left = sentenceOf(remaining ?? undefined);
      const until = date === undefined ? "" : `, exhausted at ${moment(date)}`;
      const text = `${model}${of}: ${feature}: ${left}${until}`;
      return { text, page: pageOfModel(model), details: reasons.slice(1) };
    }),
  };
}

function pageOfModel(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
