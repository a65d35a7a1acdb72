// Live detection assembled: the loop that evaluates, and the operations of the API on it.
import { LiveLoop, type LoopDeps } from "../../live/loop.ts";
import { Output } from "../../live/output.ts";
import { VersionCache } from "../../live/versions.ts";
import { Live, type LiveDeps } from "./index.ts";

/** Of one evaluation. */
const DEADLINE_MS = 30_000;
/** Evaluations within this time share one commit. */
const GROUP_MS = 50;

type LiveDetectionDeps = Pick<
  LoopDeps,
  | "store"
  | "clock"
  | "openBucket"
  | "kind"
  | "compute"
  | "onError"
  | "onEvents"
  | "onEvaluation"
  | "onRefused"
  | "onEpisode"
  | "onBucketChange"
  | "train"
  | "keepsScores"
  | "sourceGraceMs"
  | "ownership"
> &
  Pick<LiveDeps, "limits">;

/** The loop must be started; `live` can be used before. */
export function createLiveDetection(deps: LiveDetectionDeps): {
  readonly live: Live;
  readonly loop: LiveLoop;
} {
  const { store, clock, openBucket, onError } = deps;
  const output = new Output({ store, clock, openBucket, onError });
  const shared = { ...deps, output, newId: () => crypto.randomUUID() };
  const loop = new LiveLoop({
    ...shared,
    versions: new VersionCache(store),
    deadlineMs: DEADLINE_MS,
    groupMs: GROUP_MS,
  });
  return { live: new Live({ ...shared, loop }), loop };
}
