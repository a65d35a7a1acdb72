// One hook: kind, target and state in a line; opened, a test, settings, and its deliveries with their attempts.
import { useSignal } from "@preact/signals";
import type { HookStateView } from "../../../api/hook.ts";
import { hookTarget } from "../../../core/anomaly/hook-target.ts";
import { buildRoute } from "../../lib/route.ts";
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
import { MutedUntil, MuteHook } from "./mute-hook.tsx";
import { PreviewButton } from "./preview-button.tsx";
import { describeSelector } from "./selected-hooks.ts";

/** A hook of a list. */
export interface HookEntry {
  /** Undefined: the hook is a global one. */
  readonly owner: HookOwner;
  readonly hook: Pick<HookStateView, "name" | "type" | "target" | "selector">;
  /** Absent: it is changed on the page of its own. */
  readonly settings?: HookSettings;
}

export interface ListedHook extends HookEntry {
  /** Undefined until it is read. */
  readonly state: HookStateView | undefined;
}

export const withTarget = (owner: HookOwner, settings: HookSettings): HookEntry => ({
  owner,
  hook: { ...settings, target: hookTarget(settings.config) },
  settings,
});

interface CardProps {
  readonly entry: ListedHook;
  readonly opensAtFirst: boolean;
  readonly onChange: () => void;
}

export function HookCard({ entry, opensAtFirst, onChange }: CardProps) {
  const { owner, hook, settings } = entry;
  const isEdited = useSignal(false);
  const isOpen = useSignal(opensAtFirst);
  if (isEdited.value && settings && kinds.loaded.value.value)
    return (
      <HookForm
        model={owner}
        initial={readHookDraft(settings)}
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
          <Line {...entry} isOpen={isOpen.value} />
        </summary>
        {isOpen.value && <Details entry={entry} onChange={onChange} onEdit={() => (isEdited.value = true)} />}
      </details>
    </section>
  );
}

type LineProps = ListedHook & { readonly isOpen: boolean };

/** Closed, a failure stands in place of the address. */
function Line({ owner, hook: { name, type, target, selector }, state, isOpen }: LineProps) {
  const { hooksPage: own } = texts.value;
  const last = state?.last_delivery;
  return (
    <>
      <h2>{name}</h2>
      <span class="kind">{type}</span>
      {!isOpen && last?.error ? (
        <span class="error bad">{own.problem(last.code ?? "", last.error)}</span>
      ) : (
        <span class="address">{target || own.hiddenTarget}</span>
      )}
      <span class="selection">{owner ?? describeSelector(selector)}</span>
      <span class="end">
        {last ? (
          <>
            <DeliveryMark delivery={last} />{" "}
            <time>{moments.value.moment(last.created_timestamp, serverNow())}</time>
          </>
        ) : (
          own.notCalled
        )}{" "}
        <MutedUntil hook={state} />
      </span>
    </>
  );
}

interface DetailsProps extends Pick<CardProps, "entry" | "onChange"> {
  readonly onEdit: () => void;
}

function Details({ entry: { owner, hook, settings }, onChange, onEdit }: DetailsProps) {
  const { hooksPage: own } = texts.value;
  const { name } = hook;
  const { deliveries, problem, test } = useDeliveries(owner, name);
  return (
    <>
      <div class="row">
        {settings && owner === undefined && <PreviewButton name={name} />}
        {may.value("run") && (
          <button type="button" aria-label={own.testOf(name)} onClick={() => void test()}>
            {own.test}
          </button>
        )}
        {!settings && (
          <a
            class="button"
            aria-label={own.changeOf(name)}
            href={buildRoute(owner === undefined ? ["hooks"] : ["models", owner, "hooks"], { q: name })}
          >
            {own.change}
          </a>
        )}
        {settings && may.value("admin") && (
          <>
            <MuteHook model={owner} hook={settings} onChange={onChange} />
            <button type="button" aria-label={own.changeOf(name)} onClick={onEdit}>
              {own.change}
            </button>
            <DeleteButton
              name={name}
              warning={own.deleteWarning}
              onDelete={async () => {
                await removeHook(owner, name, onChange);
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
      {deliveries && deliveries.length > 0 && <Deliveries model={owner} list={deliveries} />}
    </>
  );
}
