// Page of one model: its head and tabs, each an address of its own; the model is followed for all of them.
import type { ComponentType } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { stateOfModel } from "../../../core/model/model-state.ts";
import { isFleet } from "../../lib/fleet.ts";
import { nameOf, sourceOf } from "../../lib/model-state.ts";
import { buildRoute } from "../../lib/route.ts";
import { Standings, StateMark } from "../../parts/marks.tsx";
import { ModelActions } from "../../parts/model-actions.tsx";
import {
  ModelTabBar,
  type ModelTabName,
  type ModelTabs,
  type SeriesProps,
  tabsOf,
} from "../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { createModelResource } from "../../state/models.ts";
import { texts } from "../../state/preferences.ts";

const POLL_MS = 15_000;

interface ModelProps {
  readonly name: string;
  /** The address behind the name: the tab, and of a fleet a series with its tab. */
  readonly path: readonly string[];
  readonly tabs: ModelTabs;
  /** Page of one series of a fleet. */
  readonly Series: ComponentType<SeriesProps>;
}

export function Model({ name, path, tabs, Series }: ModelProps) {
  const resource = useMemo(() => createModelResource(name), [name]);
  useEffect(() => resource.follow(POLL_MS, ["model", "live", "job", "anomaly"]), [resource]);
  const { value: model, problem } = resource.loaded.value;
  if (problem?.status === 404) return <Missing name={name} />;
  const [tab, series, part] = path;
  if (model && isFleet(model) && tab === "series" && series !== undefined)
    return (
      <Series key={series} model={model} refresh={resource.refresh} series={series} tab={part} tabs={tabs} />
    );
  const shown = tabsOf(model);
  const current = shown.find((known, i) => (tab === undefined ? i === 0 : known === tab));
  return (
    <>
      <header class="head">
        <h1>{name}</h1>
        {model && <StateMark state={stateOfModel(model)} />}
        {model && <span class="quiet">{sourceOf(model)}</span>}
        {model && <Standings live={model.live} units={model.units} all />}
        {model && <ModelActions model={model} refresh={resource.refresh} />}
      </header>
      <ModelTabBar name={name} current={current} shown={shown} />
      {problem && !model && <ProblemNote problem={problem} again={() => void resource.refresh()} />}
      {!model && !problem && <Loading />}
      {model && current === undefined && <p>{texts.value.notFound}</p>}
      {model && current !== undefined && (
        <Tab key={`${nameOf(model)}/${current}`} name={current} tabs={tabs} resource={resource} />
      )}
    </>
  );
}

interface TabProps {
  readonly name: ModelTabName;
  readonly tabs: ModelTabs;
  readonly resource: ReturnType<typeof createModelResource>;
}

function Tab({ name, tabs, resource: { loaded, refresh } }: TabProps) {
  const Component = tabs[name];
  return <Component model={loaded.value.value!} refresh={refresh} />;
}

function Missing({ name }: { name: string }) {
  const { modelMissing, toModels } = texts.value;
  return (
    <div class="note problem" role="alert">
      <h1>{name}</h1>
      <p>{modelMissing(name)}</p>
      <a href={buildRoute(["models"])}>{toModels}</a>
    </div>
  );
}
