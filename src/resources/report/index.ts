// Reports: what happened in a range, how alarms were judged, and what would have spared the false ones.
import type { ErrorBudgetView } from "../../api/server/budget.ts";
import type { CapacityView } from "../../api/server/capacity.ts";
import type { ReportView } from "../../api/server/report.ts";
import { type Severity, severityOf } from "../../core/anomaly/severity.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { check } from "../../core/input/schema.ts";
import { countVerdicts } from "../../core/report/noise.ts";
import { countByTime } from "../../core/report/rhythm.ts";
import type { Range } from "../../core/series/grid.ts";
import { DAY_MS, parseDate, WEEK_MS } from "../../core/time/time.ts";
import { pageUrl } from "../../hooks/index.ts";
import type { TextContext } from "../../hooks/kind.ts";
import { NO_MAIL_SERVER } from "../../hooks/mail/index.ts";
import type { SendMail } from "../../hooks/mail/smtp.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type AlarmRow, listAlarms } from "../../store/anomalies/alarms.ts";
import { countChanges } from "../../store/changes/changes.ts";
import type { Store } from "../../store/db/open.ts";
import type { Budgets } from "../budgets.ts";
import type { Capacity } from "../capacity.ts";
import type { Now } from "../now.ts";
import { given, type Params, parseRange } from "../shared/range.ts";
import { countFollowed } from "./changes.ts";
import { renderHtml } from "./html.ts";
import { readIncidents } from "./incidents.ts";
import { readNoisiest } from "./noisiest.ts";
import { outlineReport } from "./outline.ts";
import { ReportMail } from "./request.ts";
import { renderText } from "./text.ts";

/** Alarms of the range, and of the one before it, that are read: the newest. */
const MAX_ALARMS = 10_000;
const MAX_RANGE_DAYS = 92;
/** Longest wait for the mail server. */
const SEND_MS = 60_000;
/** Longest lists. */
const MAX_LISTED = 10;
const MAX_LIMITS = 5;
const MAX_BUDGETS = 5;

interface ReportDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly now: Pick<Now, "readTroubles">;
  readonly capacity: Pick<Capacity, "list">;
  readonly budgets: Pick<Budgets, "list">;
  /** Time zone and links of texts. */
  readonly texts: () => Pick<TextContext, "timezone" | "externalUrl" | "hasDashboard">;
  /** Sender for the effective mail server; undefined where none is configured. */
  readonly sendMail: () => SendMail | undefined;
}

/** A report as a document. */
interface ReportDocument {
  readonly title: string;
  readonly html: string;
  readonly text: string;
}

export class Reports {
  constructor(private readonly deps: ReportDeps) {}

  /** The report of `from`..`to`, by default of the last seven days. @throws TorusError `invalid` */
  async read(params: Params): Promise<ReportView> {
    const { store, clock, now } = this.deps;
    const nowAt = clock.now();
    const range = parseReportRange(params, nowAt);
    const found = await listAlarms(store, range, MAX_ALARMS + 1);
    const listed = found.slice(0, MAX_ALARMS);
    const started = listed.filter(({ startAt }) => startAt >= range.fromAt);
    const before = await this.#readBefore(range);
    const incidents = await readIncidents(store, listed);
    const noisiest = await readNoisiest(store, started, range);
    const troubles = await now.readTroubles();
    return {
      at: nowAt / 1000,
      from: range.fromAt / 1000,
      to: range.toAt / 1000,
      ...((found.length > MAX_ALARMS || before.isCut) && { truncated: true as const }),
      incidents,
      alarms: {
        ...countVerdicts(started),
        by_severity: countSeverities(started),
        ...countByTime(started, range),
        before: before.verdicts,
      },
      noisiest,
      sources: troubles.sources.slice(0, MAX_LISTED),
      failing: shorten(troubles.failing, MAX_LISTED),
      silent: shorten(troubles.silent, MAX_LISTED),
      silent_series: troubles.silent_series.slice(0, MAX_LISTED),
      changes: countFollowed(incidents.list, await this.#countChanges(range), range),
      capacity: await this.#readCapacity(),
      budgets: await this.#readBudgets(),
    };
  }

  /** The same as a page and as plain text. @throws TorusError `invalid` */
  async render(params: Params): Promise<ReportDocument> {
    const report = await this.read(params);
    const texts = this.deps.texts();
    const linkTo = (page: string) => (texts.hasDashboard ? pageUrl(page, texts) : undefined);
    const outline = outlineReport(report, texts.timezone, linkTo);
    return { title: outline.title, html: renderHtml(outline, report), text: renderText(outline) };
  }

  /**
   * Sends the report of `from` until now by mail, as a page and as plain text.
   * @throws TorusError `invalid`, also where the mail server refuses the mail; `not_supported` without a mail server;
   * `overloaded` where it does not take it now
   */
  async send(body: unknown): Promise<void> {
    const { to, sender, ...params } = check(ReportMail, body);
    const sendMail = this.deps.sendMail();
    if (!sendMail) throw new TorusError("not_supported", NO_MAIL_SERVER);
    const { title, html, text } = await this.render(params);
    const messageId = `<${crypto.randomUUID()}@${sender.address.split("@").at(-1)}>`;
    const mail = { from: sender, to, subject: title, html, text, messageId };
    const outcome = await sendMail(mail, AbortSignal.timeout(SEND_MS));
    if (outcome === "sent") return;
    if ("reject" in outcome) throw new TorusError("invalid", outcome.reject);
    throw new TorusError("overloaded", outcome.retry);
  }

  async #readBefore({ fromAt, toAt }: Range) {
    const query = { sinceAt: 2 * fromAt - toAt, toAt: fromAt };
    const found = await listAlarms(this.deps.store, query, MAX_ALARMS + 1);
    return { verdicts: countVerdicts(found.slice(0, MAX_ALARMS)), isCut: found.length > MAX_ALARMS };
  }

  async #readCapacity(): Promise<ReportView["capacity"]> {
    const { entries, total } = await this.deps.capacity.list({ page: 0, per_page: MAX_LIMITS });
    return { total: total!, list: entries as CapacityView[] };
  }

  async #readBudgets(): Promise<ReportView["budgets"]> {
    const { entries, total } = await this.deps.budgets.list({ page: 0, per_page: MAX_BUDGETS });
    return { total: total!, list: entries as ErrorBudgetView[] };
  }

  #countChanges({ fromAt, toAt }: Range): Promise<number> {
    return countChanges(this.deps.store, { sinceAt: fromAt, toAt });
  }
}

/** @throws TorusError `invalid` */
function parseReportRange(params: Params, nowAt: number): Range {
  const to = given(params, "to");
  const toAt = to === undefined ? nowAt : parseDate(to, nowAt, "to");
  const range = parseRange(params, { nowAt, fromAt: toAt - WEEK_MS });
  if (range.fromAt >= nowAt) throw invalid("from", "must be before now: nothing has happened since then");
  if (range.toAt - range.fromAt > MAX_RANGE_DAYS * DAY_MS)
    throw invalid("from", `must be at most ${MAX_RANGE_DAYS} days before to: choose a shorter range`);
  return range;
}

function shorten<T>({ total, list }: { total: number; list: readonly T[] }, most: number) {
  return { total, list: list.slice(0, most) };
}

function countSeverities(alarms: readonly AlarmRow[]): Record<Severity, number> {
  const counts = { info: 0, warning: 0, critical: 0 };
  for (const { severity, peakScore } of alarms)
    counts[severity ?? severityOf({ peak: { score: peakScore } })]++;
  return counts;
}
