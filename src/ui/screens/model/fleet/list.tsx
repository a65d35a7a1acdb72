// Series of a fleet: counts by state, a page of them, worst first; and the anomalies of many at once.

import { useEffect, useMemo } from "preact/hooks";
import type { AnomalyView } from "../../../../api/anomaly.ts";
import type { FleetSeriesView } from "../../../../api/fleet.ts";
import type { ModelView } from "../../../../api/model.ts";
import { describeSeries } from "../../../../core/model/series-text.ts";
import { shownStates } from "../../../../core/series/series-status.ts";
import { addressOfSeries, orderOf, type SeriesOrder, seriesOrders } from "../../../lib/fleet.ts";
import { formatAge } from "../../../lib/format.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { buildRoute } from "../../../lib/route.ts";
import { Select } from "../../../parts/form/controls.tsx";
import { ClearFilter, ListSearch, Pager, StateChips } from "../../../parts/list.tsx";
import { ScoreMark, SeriesMark } from "../../../parts/marks.tsx";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { Empty, Loading, ProblemNote } from "../../../parts/notes.tsx";
import { NoValue, Table } from "../../../parts/table.tsx";
import { judge } from "../../../state/anomalies/anomalies.ts";
import { serverNow } from "../../../state/clock.ts";
import {
  createFleetAnomalies,
  createSeriesPage,
  SERIES_PAGE,
  type SeriesPage,
} from "../../../state/fleet.ts";
import { texts } from "../../../state/preferences.ts";
import { route, setParams } from "../../../state/route.ts";
import { request } from "../../../state/session.ts";
import { Episodes } from "../episodes.tsx";
import { FirstVersion } from "../first-version.tsx";
import { useJudgeKeys } from "../judge-keys.ts";

const POLL_MS = 10_000;

export function FleetTab({ model }: ModelTabProps) {
  const name = nameOf(model);
  const [page, anomalies] = useMemo(() => [createSeriesPage(name), createFleetAnomalies(name)], [name]);
  const { state, q, page: number, sort, at } = route.value.params;
  useEffect(() => page.follow(POLL_MS, ["model", "live", "anomaly"]), [page, state, q, number, sort]);
  useEffect(() => anomalies.follow(3 * POLL_MS, ["anomaly"]), [anomalies]);
  useEffect(() => void (at && openSeries(at)), [at]);
  const { value, problem } = page.loaded.value;
  const ofAll = anomalies.loaded.value.value ?? [];
  const onJudge = (anomaly: AnomalyView, verdict: boolean) => judge(anomaly, verdict).then(anomalies.refresh);
  useJudgeKeys(ofAll, at, onJudge);
  return (
    <>
      <Bar name={name} />
      <FirstVersion model={model} />
      <Advice state={model.state} />
      {!value && !problem && <Loading />}
      {!value && problem && <ProblemNote problem={problem} again={() => void page.refresh()} />}
      {value && <List model={model} page={value} />}
      {ofAll.length > 0 && (
        <Episodes
          title={texts.value.fleet.ofAll}
          anomalies={ofAll}
          isLive={model.live !== undefined}
          chosen={at}
          onChoose={({ id }) => setParams({ at: id })}
          onJudge={(anomaly, verdict) => void onJudge(anomaly, verdict)}
        />
      )}
    </>
  );
}

/** Leads from an address of an anomaly to the chart of its series. */
async function openSeries(id: string): Promise<void> {
  const anomaly = await request<AnomalyView>(`/anomalies/${encodeURIComponent(id)}`).catch(() => undefined);
  if (anomaly?.series) location.replace(addressOfSeries(anomaly.model, anomaly.series, { at: id }));
}

function Bar({ name }: { name: string }) {
  const { search, order, orders, anomaliesOf } = texts.value.fleet;
  return (
    <div class="toolbar filters">
      <ListSearch label={search} />
      <Select
        label={order}
        value={orderOf(route.value.params)}
        options={(Object.keys(seriesOrders) as SeriesOrder[]).map((each) => [each, orders[each]] as const)}
        onChange={(sort) => setParams({ sort, page: undefined })}
      />
      <a href={buildRoute(["anomalies"], { fleet: name })}>{anomaliesOf}</a>
    </div>
  );
}

/** What counts by state leave out: series that failed, and those beyond the limit. */
function Advice({ state: { series } }: Pick<ModelView, "state">) {
  const { failed, unwatched } = texts.value.fleet;
  if (!series?.failed && !series?.unwatched) return null;
  return (
    <p class="note problem" role="status">
      {series.failed > 0 && `${failed(series.failed)} `}
      {series.unwatched > 0 && `${unwatched(series.unwatched)} `}
      {series.advice}
    </p>
  );
}

function List({ model, page: { series, total, counts } }: { model: ModelView; page: SeriesPage }) {
  const { states, columns, none, noneFound } = texts.value.fleet;
  const { state, q } = route.value.params;
  const isFiltered = Boolean(state || q);
  const reason = model.live ? "live" : model.state.trained ? "trained" : "untrained";
  return (
    <>
      <StateChips
        label={columns.state}
        states={shownStates}
        counts={counts}
        nameOf={(name) => states[name]}
      />
      {series.length === 0 ? (
        <Empty>
          <p>{isFiltered ? noneFound : none[reason]}</p>
          {isFiltered && <ClearFilter />}
          {!isFiltered && reason === "untrained" && (
            <a href={buildRoute(["models", nameOf(model), "versions"])}>
              {texts.value.forecastPage.toVersions}
            </a>
          )}
        </Empty>
      ) : (
        <Table titles={Object.values(columns)}>
          {series.map((each) => (
            <Row key={JSON.stringify(each.tags)} model={nameOf(model)} series={each} />
          ))}
        </Table>
      )}
      <Pager label={texts.value.modelTabs.names.series} total={total} size={SERIES_PAGE} />
    </>
  );
}

function Row({ model, series }: { model: string; series: FleetSeriesView }) {
  const { tags, state, score, newest_point, anomaly } = series;
  return (
    <tr class={state}>
      <td>
        <SeriesMark state={state} />
      </td>
      <th scope="row">
        <a href={addressOfSeries(model, tags, { at: anomaly })}>{describeSeries(tags)}</a>
      </th>
      <td>
        <ScoreMark score={score} />
      </td>
      <td>
        <Newest at={newest_point} />
      </td>
    </tr>
  );
}

export function Newest({ at }: { at: number | null }) {
  if (at === null) return <NoValue />;
  const age = Math.max(0, serverNow() - at);
  return <span>{texts.value.ago(formatAge(age))}</span>;
}
