// Dialog of a new template: settings of a model to begin with, or typed as YAML or JSON.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { nameOf } from "../../lib/model-state.ts";
import { writeYaml } from "../../lib/yaml.ts";
import { useAction } from "../../parts/action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm, Input, Select } from "../../parts/form/controls.tsx";
import { models } from "../../state/models.ts";
import { texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";

const ROWS = 14;

interface TemplateProps {
  readonly onClose: () => void;
  readonly onCreated: () => Promise<void>;
}

export function NewTemplate({ onClose, onCreated }: TemplateProps) {
  const { newTemplate, templateName, templateText, templateHint } = texts.value.serverCard;
  const name = useSignal("");
  const text = useSignal("");
  const action = useAction();
  const submit = async () => {
    const send = async () => {
      const path = `/templates?name=${encodeURIComponent(name.value)}`;
      await request(path, { method: "POST", body: text.value, type: "application/yaml" });
    };
    if (!(await action.run(send))) return;
    onClose();
    await onCreated();
  };
  return (
    <Dialog title={newTemplate} onClose={onClose}>
      <ActionForm action={action} onSubmit={submit} send={newTemplate}>
        <Input
          label={templateName}
          required
          value={name.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(value) => (name.value = value)}
        />
        <FromModel onChoose={(settings) => (text.value = settings)} />
        <label>
          {templateText}
          <textarea
            required
            rows={ROWS}
            spellcheck={false}
            value={text.value}
            aria-describedby="template-hint"
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <small id="template-hint">{templateHint}</small>
      </ActionForm>
    </Dialog>
  );
}

function FromModel({ onChoose }: { onChoose: (settings: string) => void }) {
  useEffect(() => void models.refresh(), []);
  const { fromModel, noModel } = texts.value.serverCard;
  const list = models.loaded.value.value ?? [];
  const choose = (name: string) => {
    const model = list.find((each) => nameOf(each) === name);
    if (!model) return;
    // `run` is the state of live detection; the name is given with each model.
    const { run: _, name: __, ...settings } = model.settings;
    onChoose(writeYaml({ name: "{{name}}", ...settings }));
  };
  const options = [["", noModel] as const, ...list.map(nameOf)];
  return <Select label={fromModel} options={options} onChange={choose} />;
}
