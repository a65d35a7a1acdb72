// Noisiest models of a report: their alarms by verdict, and a change that would have spared most, which a button applies.
import { useSignal } from "@preact/signals";
import type { NoisyModelView, ReportView } from "../../../api/server/report.ts";
import { readProposal } from "../../lib/anomalies/proposal.ts";
import { buildRoute } from "../../lib/route.ts";
import { describeMute } from "../../parts/anomalies/describe-mute.ts";
import { Panel } from "../../parts/attention/panel.tsx";
import { texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { Applied, ApplyDialog, type Undo } from "./apply.tsx";

export function Noisiest({ report: { noisiest } }: { report: ReportView }) {
  if (noisiest.length === 0) return null;
  return (
    <Panel title={texts.value.reportPage.noisiest}>
      {noisiest.map((noisy) => (
        <NoisyModel key={noisy.model} noisy={noisy} />
      ))}
    </Panel>
  );
}

function NoisyModel({ noisy }: { noisy: NoisyModelView }) {
  const { reportPage: own, tune } = texts.value;
  const { model, total, confirmed, dismissed, proposal } = noisy;
  const { no_proposal: reason, no_proposal_code: code, spared = 0 } = noisy;
  const isAsked = useSignal(false);
  const undo = useSignal<Undo | undefined>(undefined);
  return (
    <li>
      <a href={buildRoute(["models", model])}>{model}</a>{" "}
      <span class="quiet">{own.verdicts(total, confirmed, dismissed)}</span>
      {reason && <small>{own.noProposal(reason, code, spared, total)}</small>}
      {proposal && <p>{describeProposal(noisy)}</p>}
      {undo.value ? (
        <Applied undo={undo.value} onUndone={() => (undo.value = undefined)} />
      ) : (
        proposal &&
        may.value("admin") && (
          <button type="button" aria-label={own.applyTo(model)} onClick={() => (isAsked.value = true)}>
            {tune.apply}
          </button>
        )
      )}
      {proposal && isAsked.value && (
        <ApplyDialog
          model={model}
          proposal={proposal}
          about={describeProposal(noisy)}
          onClose={() => (isAsked.value = false)}
          onApplied={(next) => (undo.value = next)}
        />
      )}
    </li>
  );
}

/** `A start above 72 would have spared 11 of 14 alarms, none of the 5 confirmed ones.` */
function describeProposal({ total, confirmed, proposal }: NoisyModelView): string {
  const { threshold, window, spares } = texts.value.reportPage;
  const proposed = readProposal(proposal!);
  const what = "max" in proposed ? threshold(String(proposed.max)) : window(describeMute(proposed.window));
  return spares(what, proposal!.silenced, total, confirmed);
}
