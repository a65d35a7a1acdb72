// The dashboard: one page, the screen of its address; charts are loaded when the first is shown.
import { signal } from "@preact/signals";
import { render } from "preact";
import { Problem } from "./api/client.ts";
import { lazy } from "./parts/lazy.tsx";
import type { ModelTabs } from "./parts/model-tabs.tsx";
import { Loading, ProblemNote } from "./parts/notes.tsx";
import { Shell } from "./parts/shell.tsx";
import { Model } from "./screens/model/index.tsx";
import { Models } from "./screens/models.tsx";
import { followEvents } from "./state/events.ts";
import { overlay } from "./state/overlay.ts";
import { applyPreferences, texts } from "./state/preferences.ts";
import { followRoute, route } from "./state/route.ts";
import { needsToken, openSession, session } from "./state/session.ts";
import { followUpdates } from "./state/update.ts";

export * from "./shared.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";

/** Milliseconds between attempts to reach the server at the start. */
const RETRY_MS = 3000;

const failure = signal<Problem | undefined>(undefined);

/** Tabs of a model, in files of their own. */
const modelTabs: ModelTabs = {
  chart: lazy(() => import("./screens/model/chart.tsx").then(({ ModelChart }) => ModelChart)),
  tune: lazy(() => import("./screens/model/tune/index.tsx").then(({ ModelTune }) => ModelTune)),
  forecast: lazy(() => import("./screens/model/forecast.tsx").then(({ ModelForecast }) => ModelForecast)),
  versions: lazy(() => import("./screens/model/versions.tsx").then(({ ModelVersions }) => ModelVersions)),
  hooks: lazy(() => import("./screens/hooks.tsx").then(({ ModelHooks }) => ModelHooks)),
  settings: lazy(() =>
    import("./screens/model/settings.tsx").then(({ ModelSettingsTab }) => ModelSettingsTab),
  ),
};
const Anomalies = lazy(() => import("./screens/anomalies/anomalies.tsx").then(({ Anomalies }) => Anomalies));
const Buckets = lazy(() => import("./screens/buckets/buckets.tsx").then(({ Buckets }) => Buckets));
const AllHooks = lazy(() => import("./screens/hooks.tsx").then(({ AllHooks }) => AllHooks));
const Jobs = lazy(() => import("./screens/jobs.tsx").then(({ Jobs }) => Jobs));
const NewModel = lazy(() => import("./screens/new-model/new-model.tsx").then(({ NewModel }) => NewModel));
const Schedules = lazy(() => import("./screens/schedules.tsx").then(({ Schedules }) => Schedules));
const Settings = lazy(() => import("./screens/settings/settings.tsx").then(({ Settings }) => Settings));

const Login = lazy(() => import("./screens/login.tsx").then(({ Login }) => Login));
const Finder = lazy(() => import("./screens/overlays/index.ts").then(({ Finder }) => Finder));
const Keys = lazy(() => import("./screens/overlays/index.ts").then(({ Keys }) => Keys));

function Screen() {
  const [page = "models", name, tab] = route.value.path;
  if (page === "models" && name !== undefined)
    return <Model key={name} name={name} tab={tab} tabs={modelTabs} />;
  if (page === "models") return <Models />;
  if (page === "anomalies") return <Anomalies />;
  if (page === "jobs") return <Jobs />;
  if (page === "buckets") return <Buckets />;
  if (page === "new") return <NewModel />;
  if (page === "schedules") return <Schedules />;
  if (page === "hooks") return <AllHooks />;
  if (page === "settings") return <Settings />;
  return <h1>{texts.value.notFound}</h1>;
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
            <Screen />
          </Shell>
          {overlay.value === "finder" && <Finder />}
          {overlay.value === "keys" && <Keys />}
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
applyPreferences()
  // Files of an older page may be gone; English is always here.
  .catch(() => undefined)
  .then(() => render(<Page />, document.getElementById("app")!));
void open();
void followEvents();
followUpdates();
