// Live detection put together: the loop that evaluates, and what the API can do with it.
import { LiveLoop, type LoopDeps } from "../../live/loop.ts";
import { Output } from "../../live/output.ts";
import { VersionCache } from "../../live/versions.ts";
import { Live, type LiveDeps } from "../live.ts";

/** Longest evaluation, ms. */
const DEADLINE_MS = 30_000;
/** Between two commits of evaluations, ms: at 10 000 models a minute, some eight of them share one. */
const GROUP_MS = 50;

export type LiveDetectionDeps = Pick<
  LoopDeps,
  | "store"
  | "clock"
  | "openBucket"
  | "kinds"
  | "compute"
  | "onError"
  | "onEvents"
  | "onRound"
  | "onEpisode"
  | "onBucketChange"
> &
  Pick<LiveDeps, "limits">;

/** The loop begins when it is started; `live` may be used before. */
export function createLiveDetection(deps: LiveDetectionDeps): {
  readonly live: Live;
  readonly loop: LiveLoop;
} {
  const { store, clock, openBucket, onError } = deps;
  const output = new Output({ clock, openBucket, onError });
  const shared = { ...deps, output, newId: () => crypto.randomUUID() };
  const loop = new LiveLoop({
    ...shared,
    versions: new VersionCache(store),
    deadlineMs: DEADLINE_MS,
    groupMs: GROUP_MS,
  });
  return { live: new Live({ ...shared, loop }), loop };
}
