// One hook: kind, target and state in a line; opened, a test, settings, and its deliveries with their attempts.
import { useSignal } from "@preact/signals";
import { hookTarget } from "../../../core/anomaly/hook-target.ts";
import { DeliveryMark } from "../../parts/anomalies/delivery-state.tsx";
import { DeleteButton } from "../../parts/delete-button.tsx";
import { readHookDraft } from "../../parts/form/hook-fields.tsx";
import { serverNow } from "../../state/clock.ts";
import { type HookOwner, type HookSettings, removeHook } from "../../state/hooks.ts";
import { kinds } from "../../state/kinds.ts";
import { moments, texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { Deliveries, LastDelivery, useDeliveries } from "./deliveries.tsx";
import { HookForm } from "./hook-form.tsx";
import { MutedUntil, MuteHook, stateOfHook } from "./mute-hook.tsx";
import { PreviewButton } from "./preview-button.tsx";

/** Hooks of a list that are open at first; more would hide each other. */
export const FEW = 3;

interface CardsProps {
  /** Undefined: the hooks are global ones. */
  readonly model: HookOwner;
  readonly list: readonly HookSettings[];
  /** Name of the hook that was added last. */
  readonly added: string | undefined;
  /** What a global hook selects. */
  readonly selectedBy?: (hook: HookSettings) => string;
  readonly onChange: () => void;
}

export function HookCards({ list, added, selectedBy, ...rest }: CardsProps) {
  return (
    <>
      {list.map((hook) => (
        <HookCard
          key={hook.name}
          hook={hook}
          selected={selectedBy?.(hook)}
          opensAtFirst={list.length <= FEW || hook.name === added}
          {...rest}
        />
      ))}
    </>
  );
}

interface CardProps extends Pick<CardsProps, "model" | "onChange"> {
  readonly hook: HookSettings;
  readonly selected: string | undefined;
  readonly opensAtFirst: boolean;
}

function HookCard({ selected, opensAtFirst, ...props }: CardProps) {
  const { model, hook, onChange } = props;
  const isEdited = useSignal(false);
  const isOpen = useSignal(opensAtFirst);
  if (isEdited.value && kinds.loaded.value.value)
    return (
      <HookForm
        model={model}
        initial={readHookDraft(hook)}
        onDone={() => {
          isEdited.value = false;
          onChange();
        }}
        onCancel={() => (isEdited.value = false)}
      />
    );
  return (
    <section class="card hook" aria-label={hook.name}>
      <details open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary class="hook-line">
          <Line model={model} hook={hook} selected={selected} />
          {!isOpen.value && <State model={model} hook={hook} />}
        </summary>
        {isOpen.value && <Details {...props} onEdit={() => (isEdited.value = true)} />}
      </details>
    </section>
  );
}

function Line({
  model,
  hook: { name, type, config },
  selected,
}: Pick<CardProps, "model" | "hook" | "selected">) {
  return (
    <>
      <h2>{name}</h2>
      <span class="tag">{type}</span>
      <span class="quiet address">{hookTarget(config) || texts.value.hooksPage.hiddenTarget}</span>
      {selected && <span class="selection">{selected}</span>}
      <MutedUntil hook={stateOfHook(model, name)} />
    </>
  );
}

/** Of the list of all hooks: the deliveries of a closed card are not read. */
function State({ model, hook }: Pick<CardProps, "model" | "hook">) {
  const last = stateOfHook(model, hook.name)?.last_delivery;
  return (
    <span class="end">
      {last ? (
        <>
          <DeliveryMark delivery={last} /> {moments.value.moment(last.created_timestamp, serverNow())}
        </>
      ) : (
        <span class="quiet">{texts.value.hooksPage.notCalled}</span>
      )}
    </span>
  );
}

interface DetailsProps extends Pick<CardProps, "model" | "hook" | "onChange"> {
  readonly onEdit: () => void;
}

function Details({ model, hook, onChange, onEdit }: DetailsProps) {
  const { hooksPage: own } = texts.value;
  const { name } = hook;
  const { deliveries, problem, test } = useDeliveries(model, name);
  return (
    <>
      <div class="row">
        {model === undefined && <PreviewButton name={name} />}
        {may.value("run") && (
          <button type="button" aria-label={own.testOf(name)} onClick={() => void test()}>
            {own.test}
          </button>
        )}
        {may.value("admin") && (
          <>
            <MuteHook model={model} hook={hook} onChange={onChange} />
            <button type="button" aria-label={own.changeOf(name)} onClick={onEdit}>
              {own.change}
            </button>
            <DeleteButton
              name={name}
              warning={own.deleteWarning}
              onDelete={async () => {
                await removeHook(model, name, onChange);
                onChange();
              }}
            />
          </>
        )}
      </div>
      <div role="status">
        {problem && <p class="bad">{problem.message || texts.value.unreachable}</p>}
        {deliveries && <LastDelivery list={deliveries} />}
      </div>
      {deliveries && deliveries.length > 0 && <Deliveries model={model} list={deliveries} />}
    </>
  );
}
