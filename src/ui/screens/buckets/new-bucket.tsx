// Screen of a new bucket; input survives a change of the kind.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { KindsView } from "../../../api/kinds.ts";
import { Select } from "../../parts/form/controls.tsx";
import { buildBody, type Draft } from "../../parts/form/draft.ts";
import { Prose } from "../../parts/form/field-input.tsx";
import type { Schema } from "../../parts/form/fields.ts";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { buckets } from "../../state/buckets.ts";
import { firstSentence, kinds, needKinds } from "../../state/kinds.ts";
import { texts } from "../../state/preferences.ts";
import { goTo, setParams } from "../../state/route.ts";
import { request } from "../../state/session.ts";
import { BucketForm } from "./bucket-form.tsx";
import { Telegraf } from "./telegraf.tsx";

export function NewBucket({ kind }: { kind: string }) {
  useEffect(() => {
    needKinds();
    void buckets.refresh();
  }, []);
  const { bucketsPage: own } = texts.value;
  const { value, problem } = kinds.loaded.value;
  const draft = useSignal<Draft>({});
  const name = useSignal("");
  const chosen = value?.buckets.find(({ type }) => type === kind) ?? value?.buckets[0];
  const save = async (body: object) => {
    await request("/buckets", { method: "POST", body });
    await buckets.refresh();
    goTo(["buckets", name.value]);
  };
  const check = () => {
    const taken = buckets.loaded.value.value?.some((other) => other.name === name.value);
    return taken ? [{ path: "name", message: own.taken }] : [];
  };
  return (
    <>
      <header class="head">
        <h1>{own.add}</h1>
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void kinds.refresh()} />}
      {value && chosen && (
        <BucketForm
          key={chosen.type}
          schema={chosen.settings as Schema}
          draft={draft}
          isStored={false}
          check={check}
          bodyOf={(fields) => ({ name: name.value, type: chosen.type, ...buildBody(fields, draft.value) })}
          save={save}
          onCancel={() => goTo(["buckets"])}
          head={(nameError) => (
            <>
              <KindChoice all={value.buckets} chosen={chosen} />
              <NameField name={name} error={nameError} />
            </>
          )}
          foot={
            chosen.type === "local" ? (
              <details>
                <summary>{own.telegraf}</summary>
                <Telegraf bucket={name.value || "metrics"} />
              </details>
            ) : null
          }
        />
      )}
    </>
  );
}

type Kind = KindsView["buckets"][number];

function KindChoice({ all, chosen }: { all: readonly Kind[]; chosen: Kind }) {
  return (
    <Select
      label={texts.value.bucketsPage.kind}
      value={chosen.type}
      options={all.map(({ type }) => type)}
      onChange={(type) => setParams({ new: type })}
    >
      <small>
        <Prose text={firstSentence(chosen.description)} />
      </small>
    </Select>
  );
}

function NameField({ name, error }: { name: Signal<string>; error: string | undefined }) {
  return (
    <div class="field">
      <label for="name">{texts.value.form.names.name}</label>
      <input
        id="name"
        required
        value={name.value}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby="name-error"
        onInput={({ currentTarget }) => (name.value = currentTarget.value)}
      />
      <small id="name-error" class="bad">
        {error}
      </small>
    </div>
  );
}
