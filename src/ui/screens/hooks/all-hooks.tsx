// Hooks of all models and global ones: kind, target and last delivery, so that one that is not reached shows.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { HookStateView } from "../../../api/hook.ts";
import { buildRoute } from "../../lib/route.ts";
import { DeliveryState } from "../../parts/anomalies/delivery-state.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { Table } from "../../parts/table.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { serverNow } from "../../state/clock.ts";
import { previewGlobalHook } from "../../state/hooks.ts";
import { moments, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { request } from "../../state/session.ts";
import { Previews } from "./previews.tsx";

const POLL_MS = 10_000;

const hooks = createResource((signal) => request<readonly HookStateView[]>("/hooks/_states", { signal }));

/** Neither arrived nor on its way for the first time. */
const isBad = ({ last_delivery: last }: HookStateView) =>
  last !== undefined && last.state !== "sent" && last.error !== undefined;

export function AllHooks() {
  useEffect(() => hooks.follow(POLL_MS, ["delivery", "model"]), []);
  const { allHooks: own, hooks: title } = texts.value;
  const { value, problem } = hooks.loaded.value;
  const shown = value?.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)));
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void hooks.refresh()} />}
      {shown?.length === 0 && (
        <Empty>
          <h2>{own.none}</h2>
          <p>{own.how}</p>
          <pre>torus create-hook --global FILE</pre>
        </Empty>
      )}
      {shown && shown.length > 0 && (
        <Table titles={Object.values(own.columns)}>
          {shown.map((hook) => (
            <Row key={`${hook.model ?? ""}/${hook.name}`} hook={hook} />
          ))}
        </Table>
      )}
    </>
  );
}

function Row({
  hook: { model, name, type, target, selector, last_delivery: last },
}: {
  hook: HookStateView;
}) {
  const { allHooks: own, hooksPage } = texts.value;
  return (
    <tr>
      <th scope="row">
        {name}
        <small>{type}</small>
        {model === undefined && <PreviewButton name={name} />}
      </th>
      <td>
        {model === undefined ? (
          describeSelector(selector) || own.everyModel
        ) : (
          <a href={buildRoute(["models", model, "hooks"])}>{model}</a>
        )}
      </td>
      <td class="long">{target ?? <span class="quiet">{hooksPage.hiddenTarget}</span>}</td>
      <td>
        {last ? (
          <>
            <DeliveryState delivery={last} />
            <small>{moments.value.moment(last.created_timestamp, serverNow())}</small>
          </>
        ) : (
          <span class="quiet">{hooksPage.noDeliveries}</span>
        )}
      </td>
    </tr>
  );
}

/** A hook of a model has its preview in its form. */
function PreviewButton({ name }: { name: string }) {
  const isOpen = useSignal(false);
  const { allHooks: own, hooksPage } = texts.value;
  return (
    <>
      <button
        type="button"
        class="link"
        aria-label={own.previewOf(name)}
        onClick={() => (isOpen.value = true)}
      >
        {hooksPage.preview}
      </button>
      {isOpen.value && <PreviewDialog name={name} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function PreviewDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { value, problem, again, isLoading } = useAnswer(name, (signal) => previewGlobalHook(name, signal));
  return (
    <Dialog title={texts.value.allHooks.previewOf(name)} onClose={onClose}>
      {isLoading && <Loading />}
      {problem && <ProblemNote problem={problem} again={again} />}
      {value && <Previews list={value} />}
    </Dialog>
  );
}

/** `cpu-*, host=web-*` */
function describeSelector({ models = [], tags = {} }: HookStateView["selector"] = {}): string {
  return [...models, ...Object.entries(tags).map(([tag, glob]) => `${tag}=${glob}`)].join(", ");
}
