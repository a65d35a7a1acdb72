// Page of one series of a fleet: its state, and the chart and forecast of a model for it alone.
import { useEffect, useMemo } from "preact/hooks";
import type { FleetSeriesDetailView } from "../../../../api/fleet.ts";
import { addressOfSeries, titleOfSeries } from "../../../lib/fleet.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { buildRoute } from "../../../lib/route.ts";
import { ScoreMark, SeriesMark, Standings } from "../../../parts/marks.tsx";
import type { SeriesProps } from "../../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../../parts/notes.tsx";
import { createSeries } from "../../../state/fleet.ts";
import { texts } from "../../../state/preferences.ts";
import { Newest } from "./list.tsx";
import { SeriesMute } from "./mute.tsx";

const POLL_MS = 15_000;
const parts = ["chart", "forecast"] as const;

export function Series({ model, series, tab = "chart", tabs, refresh }: SeriesProps) {
  const name = nameOf(model);
  const resource = useMemo(() => createSeries(name, series), [name, series]);
  useEffect(() => resource.follow(POLL_MS, ["model", "live", "anomaly"]), [resource]);
  const { value, problem } = resource.loaded.value;
  const current = parts.find((known) => known === tab);
  const Part = current && tabs[current];
  return (
    <>
      <a href={buildRoute(["models", name])}>← {texts.value.fleet.backTo(name)}</a>
      <header class="head">
        <h1>{titleOfSeries(series)}</h1>
        {value && <Facts series={value} units={model.units} />}
        {value && <SeriesMute model={model} refresh={refresh} tags={value.tags} />}
      </header>
      {value && (
        <nav class="tabs" aria-label={texts.value.modelTabs.label}>
          {parts.map((part) => (
            <a
              key={part}
              href={addressOfPart(name, value, part)}
              aria-current={part === current ? "page" : undefined}
            >
              {texts.value.modelTabs.names[part]}
            </a>
          ))}
        </nav>
      )}
      {!value && !problem && <Loading />}
      {!value && problem?.status === 404 && (
        <p class="note problem" role="alert">
          {texts.value.fleet.seriesMissing}
        </p>
      )}
      {!value && problem && problem.status !== 404 && (
        <ProblemNote problem={problem} again={() => void resource.refresh()} />
      )}
      {value && !Part && <p>{texts.value.notFound}</p>}
      {value && Part && <Part key={tab} model={model} refresh={refresh} series={series} found={value.live} />}
    </>
  );
}

function addressOfPart(model: string, { tags }: FleetSeriesDetailView, part: (typeof parts)[number]): string {
  const chart = addressOfSeries(model, tags);
  return part === "chart" ? chart : `${chart}/${part}`;
}

interface FactsProps {
  readonly series: FleetSeriesDetailView;
  readonly units: SeriesProps["model"]["units"];
}

function Facts({ series: { state, score, newest_point, fitted, live }, units }: FactsProps) {
  const { columns, fittedTo, notFitted } = texts.value.fleet;
  return (
    <>
      <SeriesMark state={state} />
      <ScoreMark score={score} />
      <span class="quiet">
        {columns.newest} <Newest at={newest_point} /> · {fitted === null ? notFitted : fittedTo(fitted)}
      </span>
      <Standings live={live} units={units} all />
    </>
  );
}
