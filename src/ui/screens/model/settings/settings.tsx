// Settings of a model: fields in groups, changes listed before they are saved, conflicts, YAML, export, deletion.
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { KindsView } from "../../../../api/kinds.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { writeYaml } from "../../../lib/yaml.ts";
import { type Action, useAction } from "../../../parts/action.ts";
import { type Draft, readDraft, rebaseDraft } from "../../../parts/form/draft.ts";
import { placeErrors } from "../../../parts/form/errors.ts";
import { nameOfField } from "../../../parts/form/field-input.tsx";
import type { Field, Schema } from "../../../parts/form/fields.ts";
import { listChanges, modelFields, type SettingChange } from "../../../parts/form/model-fields.ts";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../../parts/notes.tsx";
import { TableHead } from "../../../parts/table.tsx";
import { readStored, type StoredModel } from "../../../state/models.ts";
import { texts } from "../../../state/preferences.ts";
import { createResource } from "../../../state/resource.ts";
import { may, request } from "../../../state/session.ts";
import { Groups, Index } from "./groups.tsx";
import { SettingsViews } from "./views.tsx";

export function ModelSettingsTab({ model, refresh }: ModelTabProps) {
  const name = nameOf(model);
  const loaded = useMemo(
    () =>
      createResource(async (signal) => {
        const [kinds, stored] = await Promise.all([
          request<KindsView>("/kinds", { signal }).then(texts.peek().describeKinds),
          readStored(name, signal),
        ]);
        const kind = kinds.models.find(({ type }) => type === stored.model.settings.type);
        return { schema: (kind ?? kinds.models[0]!).settings as Schema, stored };
      }),
    [name],
  );
  useEffect(() => void loaded.refresh(), [loaded]);
  const { value, problem } = loaded.loaded.value;
  if (problem && !value) return <ProblemNote problem={problem} again={() => void loaded.refresh()} />;
  if (!value) return <Loading />;
  return <Editor key={name} schema={value.schema} stored={value.stored} refresh={refresh} />;
}

interface EditorProps {
  readonly schema: Schema;
  readonly stored: StoredModel;
  readonly refresh: () => Promise<void>;
}

function Editor({ schema, stored, refresh }: EditorProps) {
  const base = useSignal(stored);
  const { model, etag } = base.value;
  const name = nameOf(model);
  const fields = useMemo(() => modelFields(schema, model.state), [schema, model]);
  const draft = useSignal(readDraft(fields, model.settings));
  const isSaved = useSignal(false);
  const action = useAction();
  const changes = listChanges(fields, model.settings, draft.value);
  const path = `/models/${encodeURIComponent(name)}`;
  const save = async () => {
    const body = Object.fromEntries(changes.map(({ key, after }) => [key, after]));
    isSaved.value = await action.run(() => request(path, { method: "PATCH", body, ifMatch: etag }));
    if (!isSaved.value) return;
    await action.run(async () => {
      base.value = await readStored(name);
      draft.value = readDraft(fields, base.value.model.settings);
      await refresh();
    });
  };
  const rebase = () =>
    action.run(async () => {
      const next = await readStored(name);
      const [before, theirs] = [model, next.model].map((each) => readDraft(fields, each.settings));
      draft.value = rebaseDraft(fields, { before: before!, mine: draft.value, theirs: theirs! });
      base.value = next;
    });
  return (
    <>
      <Form name={name} fields={fields} draft={draft} action={action} onSubmit={() => void save()}>
        <Changes
          changes={changes}
          action={action}
          isSaved={isSaved.value}
          onRebase={() => void rebase()}
          onReset={() => (draft.value = readDraft(fields, model.settings))}
        />
      </Form>
      <SettingsViews model={model} />
    </>
  );
}

interface FormProps {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly draft: Signal<Draft>;
  readonly action: Action;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

function Form({ name, fields, draft, action, onSubmit, children }: FormProps) {
  const { at } = placeErrors(fields, draft.value, action.problem.value?.errors ?? []);
  return (
    <form
      class="settings-form"
      // Groups are optional as a whole: the server says what is missing in one that was begun.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Index />
      <fieldset disabled={!may.value("admin")}>
        <Groups name={name} fields={fields} draft={draft} errors={at} />
      </fieldset>
      {children}
    </form>
  );
}

interface ChangesProps {
  readonly changes: readonly SettingChange[];
  readonly action: Action;
  readonly isSaved: boolean;
  readonly onRebase: () => void;
  readonly onReset: () => void;
}

/** What would be saved, above the button that saves it. */
function Changes({ changes, action, isSaved, onRebase, onReset }: ChangesProps) {
  const { title, columns, needsTraining, save, reset, saved, conflict, rebase } = texts.value.settingsTab;
  const problem = action.problem.value;
  if (changes.length === 0) return isSaved ? <p role="status">{saved}</p> : null;
  return (
    <section class="card changes" aria-labelledby="changes">
      <h2 id="changes">{title}</h2>
      <table>
        <TableHead titles={Object.values(columns)} />
        <tbody>
          {changes.map(({ key, before, after, needsTraining: isLate }) => (
            <tr key={key}>
              <th scope="row">
                {nameOfField({ key })} {isLate && <strong class="tag">{needsTraining}</strong>}
              </th>
              <td class="quiet">
                <Shown value={before} />
              </td>
              <td>
                <Shown value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problem?.status === 412 && (
        <div class="note problem" role="alert">
          <p>{conflict}</p>
          <button type="button" onClick={onRebase}>
            {rebase}
          </button>
        </div>
      )}
      {problem && problem.status !== 412 && <ProblemNote problem={problem} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isBusy.value}>
          {save}
        </button>
        <button type="button" onClick={onReset}>
          {reset}
        </button>
      </div>
    </section>
  );
}

/** A list or an object as YAML. */
function Shown({ value }: { value: unknown }) {
  if (typeof value === "object" && value !== null) return <pre>{writeYaml(value)}</pre>;
  return <span>{value === undefined || value === null ? texts.value.settingsTab.none : String(value)}</span>;
}
