// The server: health by component, backup, templates of models.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { HealthView } from "../../../api/server/health.ts";
import type { TemplateView } from "../../../api/template.ts";
import { writeYaml } from "../../lib/yaml.ts";
import { useAction } from "../../parts/action.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { ExternalUrlForm } from "../../parts/external-url.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { removeResource } from "../../state/bin.ts";
import { texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { download, may, request, session } from "../../state/session.ts";
import { NewTemplate } from "./new-template.tsx";

const POLL_MS = 15_000;

const health = createResource((signal) => request<HealthView>("/readyz", { signal }));
const templates = createResource((signal) => request<readonly TemplateView[]>("/templates", { signal }));

export function Server() {
  useEffect(() => health.follow(POLL_MS, []), []);
  const { health: title, healthy, unhealthy, about, version } = texts.value;
  const { check } = texts.value.serverCard;
  const { value, problem } = health.loaded.value;
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">{title}</h2>
      <p>{value?.ready ? healthy : problem ? `${unhealthy}: ${problem.message}` : unhealthy}</p>
      {value && (
        <ul class="checks">
          {Object.entries(value.checks).map(([name, { ok, error }]) => (
            <li key={name} class={ok ? "state live" : "bad"}>
              <span aria-hidden="true">{ok ? "●" : "✕"}</span> {check(name)}
              {error && `: ${error}`}
            </li>
          ))}
        </ul>
      )}
      <h2>{about}</h2>
      <p>{session.value && version(session.value.version)}</p>
      {may.value("admin") && <ExternalUrlForm />}
      {may.value("admin") && <Backup />}
    </section>
  );
}

function Backup() {
  const { backup, backupWhat, backupSave } = texts.value.serverCard;
  const action = useAction();
  const file = `torus-${new Date().toISOString().slice(0, 10)}.tar`;
  return (
    <>
      <h2>{backup}</h2>
      <p class="quiet">{backupWhat}</p>
      <button
        type="button"
        disabled={action.isBusy.value}
        onClick={() => void action.run(() => download("/_backup", file))}
      >
        {backupSave}
      </button>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </>
  );
}

export function Templates() {
  useEffect(() => void templates.refresh(), []);
  const { templates: title, noTemplates, newTemplate } = texts.value.serverCard;
  const isNew = useSignal(false);
  const { value, problem } = templates.loaded.value;
  return (
    <section class="card" aria-labelledby="templates">
      <h2 id="templates">{title}</h2>
      {problem && <ProblemNote problem={problem} again={() => void templates.refresh()} />}
      {value?.length === 0 && <p class="quiet">{noTemplates}</p>}
      {value?.map((template) => (
        <Template key={template.name} template={template} />
      ))}
      {may.value("admin") && (
        <button type="button" onClick={() => (isNew.value = true)}>
          {newTemplate}
        </button>
      )}
      {isNew.value && <NewTemplate onClose={() => (isNew.value = false)} onCreated={templates.refresh} />}
    </section>
  );
}

function Template({ template: { name, params, settings } }: { template: TemplateView }) {
  const { withParams, removeTemplate } = texts.value.serverCard;
  const isDeleting = useSignal(false);
  return (
    <details>
      <summary>
        {name} <span class="quiet">{params.length > 0 && withParams(params.join(", "))}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
      <pre tabIndex={0}>{writeYaml(settings)}</pre>
      {may.value("admin") && (
        <button type="button" class="danger" onClick={() => (isDeleting.value = true)}>
          {removeTemplate(name)}
        </button>
      )}
      {isDeleting.value && (
        <ConfirmDelete
          name={name}
          title={removeTemplate(name)}
          work={() => removeResource(`/templates/${encodeURIComponent(name)}`, name, templates.refresh)}
          onClose={() => (isDeleting.value = false)}
          onDeleted={templates.refresh}
        />
      )}
    </details>
  );
}
