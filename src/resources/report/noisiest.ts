// Noisiest models of a report, each with a change of its settings that was tried on its alarms.
import type { NoisyModelView, ProposalView } from "../../api/server/report.ts";
import type { MuteWindow } from "../../core/model/mute.ts";
import { countVerdicts, findNoisiest, isConfirmed } from "../../core/report/noise.ts";
import { isSparedNow, LEAST_ALARMS, type Proposal, propose } from "../../core/report/proposal.ts";
import type { Range } from "../../core/series/grid.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { storedSettings } from "../../live/stored-settings.ts";
import { type AlarmRow, listAlarms } from "../../store/anomalies/alarms.ts";
import type { Store } from "../../store/db/open.ts";
import { type ModelRow, readModels } from "../../store/models.ts";

const MAX_NOISY = 5;
/** How far before the end of the range confirmed alarms count, and how many judged ones are read, the newest. */
const MEMORY_MS = 90 * DAY_MS;
const MAX_JUDGED = 2000;

/** @param alarms those that started in the range */
export async function readNoisiest(
  store: Store,
  alarms: readonly AlarmRow[],
  { toAt }: Pick<Range, "toAt">,
): Promise<NoisyModelView[]> {
  const noisiest = findNoisiest(alarms, MAX_NOISY);
  if (noisiest.length === 0) return [];
  const models = noisiest.map(([model]) => model);
  const rows = await readModels(store, models);
  const query = { models, judged: true, sinceAt: toAt - MEMORY_MS, toAt };
  const judged = await listAlarms(store, query, MAX_JUDGED);
  const confirmed = Map.groupBy([...judged, ...alarms].filter(isConfirmed), ({ model }) => model);
  return noisiest.map(([model, own]) => ({
    model,
    ...countVerdicts(own),
    ...viewProposal(rows.get(model), own, confirmed.get(model) ?? []),
  }));
}

function viewProposal(
  row: ModelRow | undefined,
  alarms: readonly AlarmRow[],
  confirmed: readonly AlarmRow[],
): Pick<NoisyModelView, "proposal" | keyof NoProposal> {
  if (!row) return { no_proposal_code: "model_deleted", no_proposal: "the model is deleted" };
  const { settings, rules, intervalMs, offsetMs = 0 } = storedSettings(row);
  const known = { settings, rules, delayMs: intervalMs + offsetMs };
  const raised = alarms.filter((alarm) => !isSparedNow(alarm, known));
  const proposal = propose({ alarms: raised, confirmed, ...known });
  if (!proposal) return reasonOf(alarms, raised);
  return { proposal: viewChange(row.name, proposal, { alarms, max: rules.max }) };
}

/** Why there is no proposal, as a code and in words. */
type NoProposal = Pick<NoisyModelView, "no_proposal" | "no_proposal_code" | "spared">;

/** @param raised those that the settings in force would raise again */
function reasonOf(alarms: readonly AlarmRow[], raised: readonly AlarmRow[]): NoProposal {
  const spared = alarms.length - raised.length;
  const few = raised.filter((alarm) => !isConfirmed(alarm)).length < LEAST_ALARMS;
  if (few && spared > 0)
    return {
      ...{ no_proposal_code: "spared_by_settings", spared },
      no_proposal: `the settings in force would have spared ${spared} of ${alarms.length}`,
    };
  if (few)
    return {
      no_proposal_code: "too_few_alarms",
      no_proposal: `fewer than ${LEAST_ALARMS} alarms that are not confirmed are no pattern`,
    };
  return {
    no_proposal_code: "none_spares_half",
    no_proposal:
      "no higher threshold and no mute window spares half of them and no confirmed one: min_deviation or min_duration may",
  };
}

function viewChange(
  model: string,
  { change, window, silenced }: Proposal,
  { alarms, max }: { readonly alarms: readonly AlarmRow[]; readonly max: number },
): ProposalView {
  const what =
    "max_threshold" in change
      ? `max_threshold ${change.max_threshold} instead of ${Number(max.toFixed(1))}`
      : `mute ${describeWindow(window!)}`;
  const { total, confirmed } = countVerdicts(alarms);
  const kept = confirmed > 0 ? `, 0 of ${confirmed} confirmed` : "";
  return {
    summary: `${what}: would have spared ${silenced.length} of ${total}${kept}`,
    method: "PATCH",
    path: `/models/${encodeURIComponent(model)}`,
    body: change,
    silenced: silenced.length,
  };
}

/** `monday 02:00 to 03:00` */
function describeWindow({ weekdays = [], from, to }: MuteWindow): string {
  return [...weekdays, `${from} to ${to}`].join(" ");
}
