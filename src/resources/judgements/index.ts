// Judgements by signed link: each is shown first, and given once by a confirmation.
import { type JudgementLink, readLink } from "../../core/access/judgement-link.ts";
import { TorusError } from "../../core/errors.ts";
import type { MuteWindow } from "../../core/model/mute.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { HOUR_MS } from "../../core/time/time.ts";
import { formatMoment } from "../../hooks/shared/name.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type EpisodeRow, loadEpisode } from "../../store/anomalies/episodes.ts";
import type { Store } from "../../store/db/open.ts";
import { isLinkUsed, releaseLink, useLink } from "../../store/used-links.ts";
import { type Anomalies, viewEpisode } from "../anomalies.ts";
import type { Models } from "../models/index.ts";
import { changeMute } from "../models/mute.ts";
import { summarizeAnomaly } from "../shared/summary.ts";

/** Length of a mute. */
export const MUTE_HOURS = 2;
const NOTE = "by a link of a notification";

interface JudgementDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly key: string;
  readonly anomalies: Pick<Anomalies, "judge">;
  readonly models: Pick<Models, "patch" | "get">;
  /** IANA time zone of instants in texts. */
  readonly timezone: () => string;
}

/** What a link does, for people. */
export interface JudgementView {
  readonly action: JudgementLink["action"];
  readonly model: string;
  /** `host=a`; empty without a series. */
  readonly series: string;
  /** Start of the anomaly, as in `2026-01-31 13:00:00+01:00`. */
  readonly since: string;
  /** `load too high: 9, not 5` */
  readonly summary: string;
}

export class Judgements {
  constructor(private readonly deps: JudgementDeps) {}

  /** What the link would do; nothing changes. @throws TorusError `not_found`, also where it was used or has expired */
  async show(text: string): Promise<JudgementView> {
    const link = this.#read(text);
    const episode = await loadEpisode(this.deps.store, link.anomaly);
    if (await isLinkUsed(this.deps.store, text)) throw usedBefore();
    return this.#view(link, episode);
  }

  /** Does it, once. @throws as `show`, and as the operation itself */
  async apply(text: string): Promise<JudgementView> {
    const { store, clock } = this.deps;
    const link = this.#read(text);
    const episode = await loadEpisode(store, link.anomaly);
    const { expiresAt } = link;
    if (!(await useLink(store, { id: text, expiresAt, nowAt: clock.now() }))) throw usedBefore();
    try {
      await this.#perform(link, episode);
    } catch (error) {
      await releaseLink(store, text);
      throw error;
    }
    return this.#view(link, episode);
  }

  #view({ action }: JudgementLink, episode: EpisodeRow): JudgementView {
    const { model, series, startAt } = episode;
    return {
      ...{ action, model, series: series ? describeSeries(series) : "" },
      since: formatMoment(startAt, this.deps.timezone()),
      summary: summarizeAnomaly(viewEpisode(episode)),
    };
  }

  #read(text: string): JudgementLink {
    const link = readLink(this.deps.key, text);
    if (!link) throw new TorusError("not_found", "this link is not one of this server, or is not whole");
    if (link.expiresAt < this.deps.clock.now())
      throw new TorusError("not_found", "this link has expired: judge the anomaly in the dashboard");
    return link;
  }

  async #perform({ action, anomaly }: JudgementLink, { model, series }: EpisodeRow): Promise<void> {
    const { anomalies, models, clock } = this.deps;
    if (action !== "mute") return anomalies.judge(model, anomaly, { anomaly: action === "real", note: NOTE });
    const until = new Date(clock.now() + MUTE_HOURS * HOUR_MS).toISOString().replace(/\.\d+Z$/, "Z");
    const window: MuteWindow = { until, ...(series && { series }) };
    const nowAt = clock.now();
    await changeMute(models, model, (all) => [...all.filter((own) => !hasPassed(own, nowAt)), window]);
  }
}

/** Whether a window of one time is over. */
function hasPassed({ until }: MuteWindow, nowAt: number): boolean {
  return until !== undefined && Date.parse(until) < nowAt;
}

function usedBefore(): TorusError {
  return new TorusError(
    "not_found",
    "this link was used before, and works once: the dashboard changes a judgement",
  );
}
