// Proposals of a report: the setting that one changes, before and after, with the requests that apply and undo it; pure.
import type { ModelView } from "../../../api/model.ts";
import type { ProposalView } from "../../../api/server/report.ts";
import type { MuteWindow } from "../../../core/model/mute.ts";

/** What a proposal changes: the score of a start, or one mute window more. */
export type Proposed = { readonly max: number } | { readonly window: MuteWindow };

export function readProposal({ body }: Pick<ProposalView, "body">): Proposed {
  const { max_threshold: max, mute } = body as { max_threshold?: number; mute?: readonly MuteWindow[] };
  return max === undefined ? { window: mute!.at(-1)! } : { max };
}

type Settings = Readonly<Record<string, unknown>>;

export interface SettingChange {
  readonly key: string;
  /** As they are shown. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Settings that apply it, and that undo it. */
  readonly body: Settings;
  readonly undo: Settings;
}

/** The change of a model as it is stored now, which the report may not have known. */
export function changeOf(
  proposed: Proposed,
  { settings, state }: Pick<ModelView, "settings" | "state">,
  describe: (window: MuteWindow) => string,
): SettingChange {
  if ("max" in proposed) {
    // 0 is automatic.
    const { max_threshold: before = 0 } = settings as { readonly max_threshold?: number };
    return {
      key: "max_threshold",
      before: [String(before || Math.round(state.thresholds?.max ?? 0))],
      after: [String(proposed.max)],
      body: { max_threshold: proposed.max },
      undo: { max_threshold: before },
    };
  }
  const mute = (settings.mute as readonly MuteWindow[] | undefined) ?? [];
  const next = [...mute, proposed.window];
  return {
    key: "mute",
    before: mute.map(describe),
    after: next.map(describe),
    body: { mute: next },
    undo: { mute: mute.length > 0 ? mute : null },
  };
}
