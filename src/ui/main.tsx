// Entry of the dashboard: shows the screen of the address; all but the list is loaded on demand.
import { signal } from "@preact/signals";
import { render } from "preact";
import { Problem } from "./api/client.ts";
import { buildRoute } from "./lib/route.ts";
import { lazy } from "./parts/lazy.tsx";
import type { ModelTabs } from "./parts/model-tabs.tsx";
import { Loading, ProblemNote } from "./parts/notes.tsx";
import { Shell } from "./parts/shell.tsx";
import { Model } from "./screens/model/index.tsx";
import { Models } from "./screens/models/index.tsx";
import { followEvents } from "./state/events.ts";
import { overlay } from "./state/overlay.ts";
import { applyPreferences, texts } from "./state/preferences.ts";
import { followRoute, route } from "./state/route.ts";
import { needsToken, openSession, session } from "./state/session.ts";
import { followTitle } from "./state/title.ts";
import { undoable } from "./state/undo.ts";
import { followUpdates } from "./state/update.ts";

import "./shared.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";

/** Milliseconds between attempts to reach the server at the start. */
const RETRY_MS = 3000;

const failure = signal<Problem | undefined>(undefined);

/** Loaded with the first that is shown. */
const administration = () => import("./screens/administration.ts");
const tabs = () => import("./screens/model/tabs.ts");
const charts = () => import("./screens/model/charts.ts");
const review = () => import("./screens/review.ts");
const overlays = () => import("./screens/overlays/index.ts");

/** Tabs of a model, loaded with the first that is shown; the chart by itself, with the series of fleets. */
const modelTabs: ModelTabs = {
  chart: lazy(() => charts().then(({ ModelChart }) => ModelChart)),
  tune: lazy(() => tabs().then(({ ModelTune }) => ModelTune)),
  forecast: lazy(() => tabs().then(({ ModelForecast }) => ModelForecast)),
  series: lazy(() => charts().then(({ FleetTab }) => FleetTab)),
  versions: lazy(() => tabs().then(({ ModelVersions }) => ModelVersions)),
  hooks: lazy(() => administration().then(({ ModelHooks }) => ModelHooks)),
  settings: lazy(() => tabs().then(({ ModelSettingsTab }) => ModelSettingsTab)),
};
const Now = lazy(() => import("./screens/now/index.ts").then(({ Now }) => Now));
const Series = lazy(() => charts().then(({ Series }) => Series));
const Anomalies = lazy(() => review().then(({ Anomalies }) => Anomalies));
const Capacity = lazy(() => review().then(({ Capacity }) => Capacity));
const Report = lazy(() => review().then(({ Report }) => Report));
const Buckets = lazy(() => administration().then(({ Buckets }) => Buckets));
const AllHooks = lazy(() => administration().then(({ AllHooks }) => AllHooks));
const Jobs = lazy(() => administration().then(({ Jobs }) => Jobs));
const NewModel = lazy(() => administration().then(({ NewModel }) => NewModel));
const Schedules = lazy(() => administration().then(({ Schedules }) => Schedules));
const Settings = lazy(() => administration().then(({ Settings }) => Settings));

const Login = lazy(() => overlays().then(({ Login }) => Login));
const Finder = lazy(() => overlays().then(({ Finder }) => Finder));
const Keys = lazy(() => overlays().then(({ Keys }) => Keys));
const UndoLine = lazy(() => overlays().then(({ UndoLine }) => UndoLine));
const Sheet = lazy(() => overlays().then(({ Sheet }) => Sheet));

function Screen() {
  const [page = "now", name, ...path] = route.value.path;
  if (page === "models" && name !== undefined)
    return <Model key={name} name={name} path={path} tabs={modelTabs} Series={Series} />;
  if (page === "now") return <Now />;
  if (page === "models") return <Models />;
  if (page === "anomalies") return <Anomalies />;
  if (page === "jobs") return <Jobs />;
  if (page === "capacity") return <Capacity />;
  if (page === "report") return <Report />;
  if (page === "buckets") return <Buckets />;
  if (page === "new") return <NewModel />;
  if (page === "schedules") return <Schedules />;
  if (page === "hooks") return <AllHooks />;
  if (page === "settings") return <Settings />;
  return <NotFound />;
}

function NotFound() {
  return (
    <>
      <h1>{texts.value.notFound}</h1>
      <p>
        <a href={buildRoute(["now"])}>{texts.value.now}</a>
      </p>
    </>
  );
}

function Page() {
  if (failure.value) return <ProblemNote problem={failure.value} again={() => void open()} />;
  // A token that is no longer accepted covers the page, which keeps what was typed.
  const isOver = needsToken.value;
  return (
    <>
      {isOver && <Login />}
      {session.value && (
        <div class="under" inert={isOver}>
          <Shell>
            {undoable.value && <UndoLine />}
            <Screen />
          </Shell>
          {overlay.value === "finder" && <Finder />}
          {overlay.value === "keys" && <Keys />}
          {overlay.value === "pages" && <Sheet />}
        </div>
      )}
      {!isOver && !session.value && <Loading />}
    </>
  );
}

async function open(): Promise<void> {
  failure.value = undefined;
  try {
    await openSession();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    failure.value = error;
    setTimeout(() => void open(), RETRY_MS);
  }
}

followRoute();
followTitle();
void applyPreferences()
  // Files of an older page may be gone; English is always here.
  .catch(() => undefined)
  .then(() => render(<Page />, document.getElementById("app")!));
void open();
void followEvents();
followUpdates();
