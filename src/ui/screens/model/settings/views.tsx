// Settings of a model as YAML and as a command; export and deletion.
import { useSignal } from "@preact/signals";
import type { ModelView } from "../../../../api/model.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { writeYaml } from "../../../lib/yaml.ts";
import { useAction } from "../../../parts/action.ts";
import { ConfirmDelete } from "../../../parts/confirm-delete.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { removeResource } from "../../../state/bin.ts";
import { models } from "../../../state/models.ts";
import { texts } from "../../../state/preferences.ts";
import { goTo } from "../../../state/route.ts";
import { download, may } from "../../../state/session.ts";

export function SettingsViews({ model }: { model: ModelView }) {
  const { asYaml, asCommand, exports, exportModel, exportNetwork, remove, removeWarning } =
    texts.value.settingsTab;
  const name = nameOf(model);
  const path = `/models/${encodeURIComponent(name)}`;
  const isDeleting = useSignal(false);
  const action = useAction();
  // `run` is the state of live detection.
  const { run: _, ...settings } = model.settings;
  const yaml = writeYaml(settings);
  const save = (query: string, file: string) => action.run(() => download(`${path}/_export${query}`, file));
  return (
    <>
      <div class="card">
        <Text title={asYaml} text={yaml} />
        <Text title={asCommand} text={`torus create-model - --force <<'END'\n${yaml}\nEND`} />
      </div>
      <section class="card" aria-labelledby="exports">
        <h2 id="exports">{exports}</h2>
        <div class="actions">
          {model.state.trained && (
            <>
              <button type="button" onClick={() => void save("?format=bundle", `${name}.json`)}>
                {exportModel}
              </button>
              <button type="button" onClick={() => void save("?format=onnx", `${name}.onnx`)}>
                {exportNetwork}
              </button>
            </>
          )}
          {may.value("admin") && (
            <button type="button" class="danger" onClick={() => (isDeleting.value = true)}>
              {remove}
            </button>
          )}
        </div>
        {action.problem.value && <ProblemNote problem={action.problem.value} />}
      </section>
      {isDeleting.value && (
        <ConfirmDelete
          name={name}
          title={texts.value.deletion.title(name)}
          warning={removeWarning}
          work={() => removeResource(path, name, models.refresh)}
          onClose={() => (isDeleting.value = false)}
          onDeleted={() => goTo(["models"])}
        />
      )}
    </>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}
