// How forecasts are made, in the language of the page: forecasters with their shares, and seasons; pure.
import type { ModelStateView } from "../../../api/model.ts";
import type { Texts } from "../../texts/en.ts";

type State = Pick<ModelStateView, "forecast" | "forecaster">;
type Members = NonNullable<State["forecast"]>[string]["members"];
type Names = Pick<Texts["forecastPage"], "forecaster" | "season">;

/**
 * `Saison 0,77, Holt-Winters 0,23`; by feature where they differ, and in the words of the server for versions of older
 * releases.
 */
export function describeForecasters(
  { forecast = {}, forecaster = "" }: State,
  names: Names,
  format: (share: number) => string,
): string {
  const features = Object.entries(forecast);
  const isKnown = features.every(([, { members }]) => members.every(({ name }) => name !== undefined));
  if (features.length === 0 || !isKnown) return names.forecaster(forecaster);
  const labels = features.map(([, { members }]) => describeMembers(members, names, format));
  if (labels.every((label) => label === labels[0])) return labels[0]!;
  return features.map(([name], i) => `${name}: ${labels[i]}`).join("; ");
}

/** One alone without its share. */
function describeMembers(members: Members, names: Names, format: (share: number) => string): string {
  const shares = [...Map.groupBy(members, ({ name = "" }) => name)].map(([name, own]) => {
    const share = own.reduce((sum, { weight = 0 }) => sum + weight, 0);
    return { name: names.forecaster(name), share };
  });
  if (shares.length === 1) return shares[0]!.name;
  return shares
    .sort((a, b) => b.share - a.share)
    .map(({ name, share }) => `${name} ${format(share)}`)
    .join(", ");
}

/** @param seasons names, as in `day, week` */
export function describeSeasons(seasons: string, { season }: Names): string {
  return seasons.split(", ").map(season).join(", ");
}
