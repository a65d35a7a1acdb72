// Compositions: usual series drawn at random, of which most have one incident in the week after their training.
import { createRandom, type Random } from "../../../../wasm/random.ts";
import { drawOf } from "../../draw.ts";
import { type Made, make, type Recipe } from "../recipes/recipe.ts";
import { drawIncident, type Incident } from "./incidents.ts";
import { drawUsual, type Usual } from "./usual.ts";

/** Share of the series without an incident. */
const CLEAN = 0.25;
const TEST_DAYS = 7;
/** False alarms of a week that chance brings where one a week is asked for. */
const TOLERATED = 2;

/** Compositions of a seed. @throws Error where a series shows no incident */
export function makeCompositions(count: number, seed: number): Made[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, k) => make(compose(`${k}`, random), count * seed + k));
}

function compose(label: string, random: Random): Recipe {
  const usual = drawUsual(random);
  const draw = drawOf(random);
  const { step, trainedDays } = usual;
  const incident = draw.chance(CLEAN) ? undefined : drawIncident(usual, draw);
  return {
    name: `composition ${label}, every ${step} s, ${trainedDays} days: ${usual.name}: ${incident?.name ?? "clean"}`,
    step,
    trainedDays,
    days: trainedDays + TEST_DAYS,
    tolerated: TOLERATED,
    planted: incident ? { [incident.name]: incident } : {},
    make: (own) => makeValues(usual, incident, own),
  };
}

/** Values one after the other. */
function makeValues(
  { at: usualAt, noise, least, disturb }: Usual,
  incident: Incident | undefined,
  random: Random,
): ReturnType<Recipe["make"]> {
  const next = noise.start(random);
  let before = 0;
  return (moment) => {
    const odd = incident && moment.during(incident.name) ? incident : undefined;
    const { at = usualAt, noise: times = 1, isStuck } = odd ?? {};
    const value = Math.max(least, next(at(moment), times));
    const disturbed = disturb(value, moment, random);
    if (odd) return isStuck ? before : value;
    if (Number.isFinite(disturbed)) before = disturbed;
    return disturbed;
  };
}
