// Capacity: series that move towards a limit, the earliest first, each with a band and how right its earlier dates were.
import { useEffect } from "preact/hooks";
import type { CapacityView } from "../../api/server/capacity.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { addressOfLimit, endOfDates, findLimits, placeDates, subjectOf } from "../lib/capacity.ts";
import { formatSpan } from "../lib/format.ts";
import { ClearFilter, ListSearch, Pager, pageOf } from "../parts/list.tsx";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { Table } from "../parts/table.tsx";
import { serverNow } from "../state/clock.ts";
import { moments, numbers, texts } from "../state/preferences.ts";
import { createResource } from "../state/resource.ts";
import { route } from "../state/route.ts";
import { request } from "../state/session.ts";

/** Outlooks are made four times a day. */
const POLL_MS = 60_000;
/** Rows of a page. */
const PAGE = 100;
/** Seconds from which on days say enough of a band. */
const FAR = 3 * 86_400;

interface Limits {
  readonly list: readonly CapacityView[];
  /** More than are listed, where the server cuts the list. */
  readonly total: number;
}

const capacity = createResource(async (signal): Promise<Limits> => {
  let total = 0;
  const onHeaders = (headers: Headers) => {
    total = Number(headers.get("x-total-count"));
  };
  const path = "/capacity?fields=reasons&include_fields=false";
  const list = await request<readonly CapacityView[]>(path, { signal, onHeaders });
  return { list, total };
});

export function Capacity() {
  useEffect(() => capacity.follow(POLL_MS, ["model"]), []);
  const { capacity: title, fleet } = texts.value;
  const { value, problem } = capacity.loaded.value;
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <ListSearch label={fleet.search} />
      </header>
      {!value && !problem && <Loading />}
      {!value && problem && <ProblemNote problem={problem} again={() => void capacity.refresh()} />}
      {value && (value.list.length > 0 ? <List limits={value} /> : <Nothing />)}
    </>
  );
}

function Nothing() {
  const { none, what } = texts.value.capacityPage;
  return (
    <Empty>
      <h2>{none}</h2>
      <p>{what}</p>
    </Empty>
  );
}

function List({ limits: { list, total } }: { limits: Limits }) {
  const { capacity: title, capacityPage, fleet, pages } = texts.value;
  const found = findLimits(list, route.value.params.q ?? "");
  const first = PAGE * pageOf(found.length, PAGE);
  const shown = found.slice(first, first + PAGE);
  const end = endOfDates(shown) ?? 0;
  if (shown.length === 0)
    return (
      <Empty>
        <p>{fleet.noneFound}</p>
        <ClearFilter />
      </Empty>
    );
  return (
    <>
      <Table titles={Object.values(capacityPage.columns)}>
        {shown.map((limit) => (
          <Row key={`${subjectOf(limit)} ${limit.limit.type}`} limit={limit} end={end} />
        ))}
      </Table>
      {total > list.length && <p class="quiet">{pages.shownOf(1, list.length, total)}</p>}
      <Pager label={title} total={found.length} size={PAGE} />
    </>
  );
}

interface RowProps {
  readonly limit: CapacityView;
  /** Of the axis that the rows share, seconds since the epoch. */
  readonly end: number;
}

function Row({ limit: own, end }: RowProps) {
  const { capacityPage } = texts.value;
  const { model, series, feature, unit, limit, now, per_day, backtest } = own;
  const [value, bound] = numbers.value.together([now, limit.value], { unit });
  const change = `${per_day > 0 ? "+" : ""}${numbers.value.one(per_day, unit)}`;
  return (
    <tr>
      <th scope="row">
        <a href={addressOfLimit(own, serverNow())}>{model}</a>
        <small>
          {series && `${describeSeries(series)}: `}
          {feature}
        </small>
      </th>
      <td>{capacityPage[limit.type](bound!)}</td>
      <td>
        {value}
        <small>{capacityPage.perDay(change)}</small>
      </td>
      <td>
        <Reached limit={own} />
      </td>
      <td>
        <Band limit={own} end={end} />
      </td>
      <td>{capacityPage.right(backtest.right, backtest.of)}</td>
    </tr>
  );
}

function Reached({ limit: { date } }: Pick<RowProps, "limit">) {
  const { ago, left, capacityPage: own } = texts.value;
  const at = serverNow();
  if (date === undefined) return <span class="quiet">{own.unpredictable}</span>;
  const span = formatSpan(Math.abs(date - at) * 1000);
  return (
    <>
      {moments.value.moment(date, at)}
      <small>{date > at ? left(span) : ago(span)}</small>
    </>
  );
}

/** From the earliest to the latest date, in words and on an axis that all rows share. */
function Band({ limit, end }: RowProps) {
  const { mapWindow, capacityPage: own } = texts.value;
  const at = serverNow();
  const lead = placeDates(limit, at, end);
  if (!lead) return null;
  const { date = at, earliest = date, latest } = limit;
  const when = (instant: number) =>
    date - at > FAR ? moments.value.date(instant) : moments.value.moment(instant, at);
  return (
    <>
      {latest === null || latest === undefined
        ? own.from(when(earliest))
        : mapWindow(when(earliest), when(latest))}
      <svg class="spark lead-time" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="band" x={lead.earliest} y={0} width={lead.latest - lead.earliest} height={8} />
        <path class="line" d={`M${lead.date} 0V8`} />
      </svg>
    </>
  );
}
