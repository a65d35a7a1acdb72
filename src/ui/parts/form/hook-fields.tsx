// Fields of a hook by kind; input survives a change of the kind.

import { useEffect } from "preact/hooks";
import type { KindsView } from "../../../api/kinds.ts";
import type { FieldProblem } from "../../api/client.ts";
import type { HookSettings } from "../../state/hooks.ts";
import { firstSentence, kinds, needKinds } from "../../state/kinds.ts";
import { texts } from "../../state/preferences.ts";
import { Loading } from "../notes.tsx";
import { Input, Select } from "./controls.tsx";
import { buildBody, chosenOf, type Draft, readDraft } from "./draft.ts";
import { placeErrors } from "./errors.ts";
import { Prose } from "./field-input.tsx";
import { type Field, fieldsOf, type Schema } from "./fields.ts";
import { FieldList, FormFields } from "./form-fields.tsx";

export interface HookDraft {
  readonly type: string;
  readonly name: string;
  /** Of the configuration and of the options. */
  readonly config: Draft;
}

interface KindFields {
  readonly config: readonly Field[];
  /** Of hooks of all kinds. */
  readonly options: readonly Field[];
}

/** Fields of the selector of a global hook. */
function selectorField(): Field & { readonly kind: "group" } {
  const { selectorHelp } = texts.value.hookFields;
  const base = { help: "", isRequired: false, isSecret: false, hint: "" };
  const at = (key: "models" | "tags") => ({ ...base, key, path: `selector.${key}`, help: selectorHelp[key] });
  return {
    ...base,
    key: "selector",
    path: "selector",
    kind: "group",
    fields: [
      { ...at("models"), hint: "cpu-*", kind: "list" },
      { ...at("tags"), hint: "host: web-*", kind: "map" },
    ],
  };
}

/** Fields of a hook; none while the kinds are unknown. */
function fieldsOfKind(type: string): KindFields {
  const kind = kinds.loaded.value.value?.hooks.find((each) => each.type === type);
  const schema = kind?.settings as Schema | undefined;
  const config = schema?.properties?.config;
  if (!config) return { config: [], options: [] };
  return { config: fieldsOf(config, "config"), options: fieldsOf(schema, "", ["name", "type", "config"]) };
}

/** Fields of the configuration without the texts of events that the hook does not get, but for those set. */
function withTextsOf({ config, options }: KindFields, draft: Draft): readonly Field[] {
  const events = options.find(({ key }) => key === "events");
  if (events?.kind !== "choices") return config;
  const [chosen, all] = [chosenOf(events, draft), events.choices];
  const isOf = (topics: readonly string[], key: string) => topics.some((topic) => key.startsWith(topic));
  const isSet = (path: string) => Object.keys(draft).some((other) => other.startsWith(`${path}.`));
  const isShown = ({ key, path }: Field) => !isOf(all, key) || isOf(chosen, key) || isSet(path);
  return config.map((field) =>
    field.kind === "group" ? { ...field, fields: field.fields.filter(isShown) } : field,
  );
}

export function readHookDraft({ type, name, config, ...options }: HookSettings): HookDraft {
  const fields = fieldsOfKind(type);
  const beside = [...fields.options, selectorField()];
  const draft = { ...readDraft(fields.config, config), ...readDraft(beside, options) };
  return { type, name, config: draft };
}

export function buildHook({ type, name, config }: HookDraft): HookSettings {
  const fields = fieldsOfKind(type);
  const beside = buildBody([...fields.options, selectorField()], config);
  return { type, name, ...beside, config: buildBody(fields.config, config) };
}

interface HookFieldsProps {
  /** A signal, or what stands for one. */
  readonly draft: { value: HookDraft };
  readonly errors: readonly FieldProblem[];
  /** Whether the hook is stored: kind and name stay, secrets may be there. */
  readonly isStored: boolean;
  /** Whether the hook is a global one, which has a selector. */
  readonly isGlobal?: boolean;
}

export function HookFields({ draft, errors, isStored, isGlobal = false }: HookFieldsProps) {
  useEffect(needKinds, []);
  const known = kinds.loaded.value.value?.hooks;
  if (!known) return <Loading />;
  const { type, config } = draft.value;
  const own = fieldsOfKind(type);
  const selector = isGlobal ? selectorField().fields : [];
  const fields = [...own.config, ...own.options, ...selector];
  const { at, rest } = placeErrors(fields, config, errors);
  const values = {
    get value() {
      return draft.value.config;
    },
    set value(changed: Draft) {
      draft.value = { ...draft.value, config: changed };
    },
  };
  return (
    <>
      {!isStored && (
        <KindAndName draft={draft} all={known} isRefused={rest.some(({ path }) => path === "name")} />
      )}
      <FormFields fields={selector} draft={values} errors={at} isStored={isStored} />
      <FormFields fields={withTextsOf(own, config)} draft={values} errors={at} isStored={isStored} />
      <FieldList fields={own.options} draft={values} errors={at} isStored={isStored} />
      {rest.map(({ path, message }) => (
        <p key={path} class="bad" role="alert">
          {path}: {message}
        </p>
      ))}
    </>
  );
}

interface KindProps extends Pick<HookFieldsProps, "draft"> {
  readonly all: KindsView["hooks"];
  /** Whether the name is wrong. */
  readonly isRefused: boolean;
}

function KindAndName({ draft, all, isRefused }: KindProps) {
  const { hookFields: own } = texts.value;
  const { type, name } = draft.value;
  const chosen = all.find((kind) => kind.type === type);
  return (
    <>
      <Select
        label={own.kind}
        value={type}
        options={all.map((kind) => kind.type)}
        onChange={(type) => (draft.value = { ...draft.value, type })}
      >
        {chosen && (
          <small>
            <Prose text={firstSentence(chosen.description)} />
          </small>
        )}
      </Select>
      <Input
        label={own.name}
        value={name}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isRefused}
        onInput={(name) => (draft.value = { ...draft.value, name })}
      />
    </>
  );
}
