// Entry of the dashboard: shows the screen of the address; all but the list is loaded on demand.
import { signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
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
const charts = () => import("./screens/model/charts.ts");
const overlays = () => import("./shared-screens.ts");
const screens = () => import("./screens/index.ts");

/** The component of a file that is loaded with it. */
function of<M, K extends keyof M>(file: () => Promise<M>, name: K) {
  type Props = M[K] extends (props: infer P extends object) => unknown ? P : never;
  return lazy(async () => (await file())[name] as ComponentType<Props>);
}

const AnomalyDetail = of(screens, "AnomalyDetail");
/** Tabs of a model, loaded with the first that is shown; the chart by itself, with the series of fleets. */
const modelTabs: ModelTabs = {
  chart: lazy(async () => {
    const { ModelChart } = await charts();
    return (props) => <ModelChart {...props} Detail={AnomalyDetail} />;
  }),
  tune: of(screens, "ModelTune"),
  forecast: of(screens, "ModelForecast"),
  series: of(charts, "FleetTab"),
  versions: of(screens, "ModelVersions"),
  hooks: of(screens, "ModelHooks"),
  settings: of(screens, "ModelSettingsTab"),
};
const Series = of(charts, "Series");

/** By the first part of their address. */
const pages: ReadonlyMap<string, ComponentType> = new Map<string, ComponentType>([
  ["now", of(() => import("./screens/now/index.ts"), "Now")],
  ["models", Models],
  ["anomalies", of(screens, "Anomalies")],
  ["jobs", of(screens, "Jobs")],
  ["capacity", of(screens, "Capacity")],
  ["report", of(screens, "Report")],
  ["buckets", of(screens, "Buckets")],
  ["new", of(screens, "NewModel")],
  ["schedules", of(screens, "Schedules")],
  ["hooks", of(screens, "AllHooks")],
  ["settings", of(screens, "Settings")],
]);

const Login = of(overlays, "Login");
const Finder = of(overlays, "Finder");
const Keys = of(overlays, "Keys");
const UndoLine = of(overlays, "UndoLine");
const Sheet = of(overlays, "Sheet");

function Screen() {
  const [page = "now", name, ...path] = route.value.path;
  if (page === "models" && name !== undefined)
    return <Model key={name} name={name} path={path} tabs={modelTabs} Series={Series} />;
  const Shown = pages.get(page) ?? NotFound;
  return <Shown />;
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
