// Groups of events as one message: their number, the worst ten, and how many more there are.
import { type HookEvent, isEnd, rarityOf } from "../../core/anomaly/event.ts";
import { severities } from "../../core/anomaly/severity.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { summarize } from "./describe.ts";
import { formatMoment } from "./name.ts";

/** Events that are listed; of the others the number is. */
const MAX_LISTED = 10;

/** Events of one notification. */
export interface EventGroup {
  /** Tags that the events share, by the `group_by` of the hook. */
  readonly tags: Readonly<Record<string, string>>;
  /** In their order; at least two. */
  readonly events: readonly HookEvent[];
  /** Link to all anomalies; absent if the settings have no external address. */
  readonly url?: string;
}

/** `host=web-1: 12 new, 3 over: cpu usage_user is too high: 93.4, and 14 more`. */
export function summarizeGroup(group: EventGroup): string {
  const { begun, over } = splitGroup(group);
  const [worst] = [...begun, ...over];
  const numbers = [
    ...(begun.length > 0 ? [`${begun.length} new`] : []),
    ...(over.length > 0 ? [`${over.length} over`] : []),
  ];
  const others = begun.length + over.length - 1;
  const more = others > 0 ? `, and ${others} more` : "";
  const place = describeSeries(group.tags);
  return `${place ? `${place}: ` : ""}${numbers.join(", ")}: ${summarize(worst!)}${more}`;
}

/** @param rank of the event among those of its list, from 0 */
type LinesOf = (event: HookEvent, rank: number) => readonly string[];

/** Form of a receiver. */
interface GroupForm {
  /** Lines below that of an event, such as links; default: none. */
  readonly below?: LinesOf;
  /** Of names and values; default: as they are. */
  readonly escapeText?: (text: string) => string;
}

/** Body of a mail or message: a line per event, the worst first. */
export function composeGroup(
  group: EventGroup,
  timezone: string,
  { below = () => [], escapeText = (text) => text }: GroupForm = {},
): string {
  const { begun, over } = splitGroup(group);
  const tell: LinesOf = (event, rank) => [
    escapeText(`- ${describe(event, timezone)}`),
    ...below(event, rank),
  ];
  const lines = [...listEvents("New", begun, tell), ...listEvents("Over", over, tell)];
  const place = describeSeries(group.tags);
  return [
    ...lines,
    ...(place ? [escapeText(`group: ${place}`)] : []),
    ...(group.url === undefined ? [] : [`link: ${group.url}`]),
  ].join("\n");
}

function listEvents(title: string, events: readonly HookEvent[], tell: LinesOf): string[] {
  if (events.length === 0) return [];
  const shown = events.slice(0, MAX_LISTED);
  const rest = events.length - shown.length;
  return [
    `${title}: ${events.length}`,
    ...shown.flatMap(tell),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    "",
  ];
}

function describe(event: HookEvent, timezone: string): string {
  const { severity, model, source, startedAt } = event;
  const facts = [
    severity,
    source ? undefined : `model ${model}`,
    `since ${formatMoment(startedAt, timezone)}`,
  ];
  return `${summarize(event)} (${facts.filter((fact) => fact !== undefined).join(", ")})`;
}

/** The last event of each episode, the worst first: an anomaly that is over already is listed as that alone. */
function splitGroup({ events }: EventGroup): {
  readonly begun: readonly HookEvent[];
  readonly over: readonly HookEvent[];
} {
  const last = new Map<string, HookEvent>();
  for (const event of events)
    last.set(event.kind === "level_shift" ? event.id : `${event.model} ${event.episode}`, event);
  const sorted = [...last.values()].sort((a, b) => rank(b) - rank(a));
  return {
    begun: sorted.filter(({ kind }) => !isEnd(kind)),
    over: sorted.filter(({ kind }) => isEnd(kind)),
  };
}

/** By severity, then rarity. */
function rank({ severity = "info", features }: HookEvent): number {
  return severities.indexOf(severity) * 1000 + Math.min(rarityOf(features) ?? 0, 999);
}
