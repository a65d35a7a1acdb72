// Hooks of all models: the global ones with their forms, then those of single models, failing ones first.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { HookStateView } from "../../../api/hook.ts";
import { buildRoute } from "../../lib/route.ts";
import { DeliveryState } from "../../parts/anomalies/delivery-state.tsx";
import { KindList } from "../../parts/kind-list.tsx";
import { Pager, pageOf } from "../../parts/list.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { Table } from "../../parts/table.tsx";
import { type Answer, useAnswer } from "../../parts/use-answer.ts";
import { serverNow } from "../../state/clock.ts";
import { type HookSettings, hookStates, listHooks } from "../../state/hooks.ts";
import { kinds, needKinds } from "../../state/kinds.ts";
import { moments, texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { HookCards } from "./hook-card.tsx";
import { HookForm } from "./hook-form.tsx";
import { MutedUntil } from "./mute-hook.tsx";

const POLL_MS = 10_000;
/** Hooks of models on a page of the list. */
const PAGE = 20;

/** Neither arrived nor on its way for the first time. */
export const isBad = ({ last_delivery: last }: HookStateView) =>
  last !== undefined && last.state !== "sent" && last.error !== undefined;

export function AllHooks() {
  useEffect(needKinds, []);
  useEffect(() => hookStates.follow(POLL_MS, ["delivery", "model"]), []);
  const global = useAnswer("global", (signal) => listHooks(undefined, signal));
  /** Kind of a hook that is being added. */
  const added = useSignal<string | undefined>(undefined);
  /** Name of the hook that was added last. */
  const stored = useSignal<string | undefined>(undefined);
  const { hooks: title, hooksPage } = texts.value;
  const { value: states, problem } = hookStates.loaded.value;
  // Both lists at once: the second would jump.
  const value = global.value || global.problem ? states : undefined;
  const ofModels = value
    ?.filter(({ model }) => model !== undefined)
    .sort((a, b) => Number(isBad(b)) - Number(isBad(a)));
  const isEmpty = global.value?.length === 0 && ofModels?.length === 0;
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {may.value("admin") && added.value === undefined && (
          <button type="button" class="primary right" onClick={() => (added.value = "webhook")}>
            {hooksPage.addGlobal}
          </button>
        )}
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void hookStates.refresh()} />}
      {added.value !== undefined && (
        <NewGlobal type={added} global={global} onStored={(name) => (stored.value = name)} />
      )}
      {isEmpty && added.value === undefined && <NoHooks onAdd={(type) => (added.value = type)} />}
      {value && <Global answer={global} added={stored.value} />}
      {ofModels && ofModels.length > 0 && <OfModels list={ofModels} />}
    </>
  );
}

interface NewGlobalProps {
  readonly type: { value: string | undefined };
  readonly global: Answer<readonly HookSettings[]>;
  /** @param name of the new hook */
  readonly onStored: (name: string) => void;
}

function NewGlobal({ type, global, onStored }: NewGlobalProps) {
  return (
    <HookForm
      model={undefined}
      initial={{ type: type.value!, name: "", config: {} }}
      taken={global.value?.map(({ name }) => name) ?? []}
      onDone={(name) => {
        onStored(name);
        type.value = undefined;
        global.again();
      }}
      onCancel={() => (type.value = undefined)}
    />
  );
}

function NoHooks({ onAdd }: { onAdd: (type: string) => void }) {
  const { allHooks: own } = texts.value;
  const canAdd = may.value("admin");
  return (
    <Empty>
      <h2>{own.none}</h2>
      <p>{own.how}</p>
      <KindList
        kinds={kinds.loaded.value.value?.hooks ?? []}
        title={(type) =>
          canAdd ? (
            <button type="button" class="link" onClick={() => onAdd(type)}>
              {type}
            </button>
          ) : (
            <b>{type}</b>
          )
        }
      />
    </Empty>
  );
}

interface GlobalProps {
  readonly answer: NewGlobalProps["global"];
  /** Name of the hook that was added last. */
  readonly added: string | undefined;
}

function Global({ answer: { value, problem, again }, added }: GlobalProps) {
  const { allHooks: own } = texts.value;
  if (problem) return <ProblemNote problem={problem} again={again} />;
  if (!value || value.length === 0) return null;
  return (
    <section>
      <h2>{own.global}</h2>
      <p class="quiet">{own.aboutGlobal}</p>
      <HookCards
        model={undefined}
        list={value}
        added={added}
        selectedBy={({ selector }) => describeSelector(selector) || own.everyModel}
        onChange={again}
      />
    </section>
  );
}

function OfModels({ list }: { list: readonly HookStateView[] }) {
  const { ofModels: title, columns } = texts.value.allHooks;
  const first = PAGE * pageOf(list.length, PAGE);
  return (
    <section>
      <h2>{title}</h2>
      <Table titles={Object.values(columns)}>
        {list.slice(first, first + PAGE).map((hook) => (
          <Row key={`${hook.model}/${hook.name}`} hook={hook} />
        ))}
      </Table>
      <Pager label={title} total={list.length} size={PAGE} />
    </section>
  );
}

function Row({ hook }: { hook: HookStateView }) {
  const { model = "", name, type, target, last_delivery: last } = hook;
  const { hooksPage } = texts.value;
  return (
    <tr>
      <th scope="row">
        {name}
        <small>{type}</small>
      </th>
      <td>
        <a href={buildRoute(["models", model, "hooks"])}>{model}</a>
      </td>
      <td class="long">{target ?? <span class="quiet">{hooksPage.hiddenTarget}</span>}</td>
      <td>
        {last ? (
          <>
            <DeliveryState delivery={last} />
            <small>{moments.value.moment(last.created_timestamp, serverNow())}</small>
          </>
        ) : (
          <span class="quiet">{hooksPage.notCalled}</span>
        )}
        <MutedUntil hook={hook} />
      </td>
    </tr>
  );
}

/** `cpu-*, host=web-*` */
export function describeSelector({ models = [], tags = {} }: HookStateView["selector"] = {}): string {
  return [...models, ...Object.entries(tags).map(([tag, glob]) => `${tag}=${glob}`)].join(", ");
}
