// Explanation of a forecast in words: members, level, trend, shifts, and errors of past forecasts.
import type { SeriesForecastView } from "../../api/detection.ts";
import type { Context } from "../command/command.ts";
import { formatCount, formatNumber } from "../terminal/format.ts";
import { type Column, renderTable } from "../terminal/table.ts";

type Explanation = NonNullable<SeriesForecastView["explanation"]>;
type ByLead = Explanation["error"];

const groups = ["near", "season", "far"] as const;

/** A table of the members and their errors, and what the forecast starts from. */
export function renderExplanation(context: Context, explanation: Explanation): string {
  const { members, error, origins } = explanation;
  const shown = members.map(({ forecaster, text, share }) => ({ name: forecaster, text, figures: share }));
  const percent = (value: number | null) => (value === null ? "–" : `${Math.round(100 * value)} %`);
  const table = renderTable(shown, memberColumns(percent), context);
  const errors = groups.map((group) => `${group} ${formatError(error, group)}`).join(", ");
  return [
    table,
    [...startOf(explanation), `error in ${formatCount(origins)} forecasts of the past: ${errors}`].join("\n"),
  ].join("\n\n");
}

interface MemberRow {
  readonly name: string;
  readonly text: string;
  readonly figures: ByLead;
}

function memberColumns(format: (value: number | null) => string): Column<MemberRow>[] {
  return [
    { title: "MEMBER", value: ({ name }) => name },
    ...groups.map(
      (group): Column<MemberRow> => ({
        title: group.toUpperCase(),
        align: "right",
        value: ({ figures }) => format(figures[group]),
      }),
    ),
    { title: "", value: ({ text }) => text },
  ];
}

function formatError(error: ByLead, group: (typeof groups)[number]): string {
  const value = error[group];
  return value === null ? "not measured" : formatNumber(value);
}

/** Runs one by one, and spikes in one line. */
function leftOutOf(departures: Explanation["departures"]): string[] {
  const spikes = departures.filter(({ intervals }) => intervals === 1);
  const newest = Math.min(...spikes.map(({ intervals_ago: ago }) => ago));
  const runs = departures
    .filter(({ intervals }) => intervals > 1)
    .map(
      ({ intervals_ago: ago, intervals }) =>
        `${formatCount(intervals)} points away from the level, ${formatCount(ago)} points ago`,
    );
  const odd =
    spikes.length === 1
      ? `a spike, ${formatCount(newest)} points ago`
      : `${formatCount(spikes.length)} spikes, the newest ${formatCount(newest)} points ago`;
  return [...runs, ...(spikes.length > 0 ? [odd] : [])].map((text) => `left out of the past: ${text}`);
}

function startOf({ level, trend, shifts, departures, rest, special_days: special }: Explanation): string[] {
  const changes = shifts.map(
    ({ intervals_ago: ago, change }) =>
      `${change < 0 ? "" : "+"}${formatNumber(change)} ${formatCount(ago)} points ago`,
  );
  return [
    `level without season ${formatNumber(level)}, trend ${trend === 0 ? "none" : `${formatNumber(trend)} a point`}`,
    ...(changes.length > 0 ? [`moved to the present level: ${changes.join(", ")}`] : []),
    ...leftOutOf(departures),
    ...(rest === undefined ? [] : [`at ${formatNumber(rest)} for far longer than ever: goes on at it`]),
    ...(special ? ["holidays and ends of months: left out of the past, added ahead"] : []),
  ];
}
