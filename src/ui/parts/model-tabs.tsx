// Tabs of a model's page: links to addresses of their own, `#/models/NAME/TAB`.
import type { ComponentType } from "preact";
import type { FleetSeriesDetailView } from "../../api/fleet.ts";
import type { ModelView } from "../../api/model.ts";
import { isFleet } from "../lib/fleet.ts";
import { buildRoute } from "../lib/route.ts";
import { texts } from "../state/preferences.ts";

const shared = ["versions", "hooks", "settings"] as const;
/** In the order of the bar; the first is `#/models/NAME`. */
const tabsOfOne = ["chart", "tune", "forecast", ...shared] as const;
/** Charts, thresholds and forecasts are those of each series. */
const tabsOfFleet = ["series", ...shared] as const;
export type ModelTabName = (typeof tabsOfOne)[number] | (typeof tabsOfFleet)[number];

/** @param model absent: not known yet */
export function tabsOf(model: ModelView | undefined): readonly ModelTabName[] {
  return model && isFleet(model) ? tabsOfFleet : tabsOfOne;
}

export interface ModelTabProps {
  readonly model: ModelView;
  /** Reads the model again. */
  readonly refresh: () => Promise<void>;
  /** Of a fleet, the series that the tab shows, as in `host:a,cpu:0`. */
  readonly series?: string;
  /** What live detection has found of that series. */
  readonly found?: FleetSeriesDetailView["live"];
}

export type ModelTabs = Readonly<Record<ModelTabName, ComponentType<ModelTabProps>>>;

export interface SeriesProps extends ModelTabProps {
  readonly series: string;
  /** Last part of the address; absent: the chart. */
  readonly tab: string | undefined;
  readonly tabs: ModelTabs;
}

export function addressOfTab(name: string, tab: ModelTabName): string {
  return buildRoute(tab === "chart" || tab === "series" ? ["models", name] : ["models", name, tab]);
}

interface BarProps {
  readonly name: string;
  readonly current: ModelTabName | undefined;
  readonly shown: readonly ModelTabName[];
}

export function ModelTabBar({ name, current, shown }: BarProps) {
  const { label, names } = texts.value.modelTabs;
  return (
    <nav class="tabs" aria-label={label}>
      {shown.map((tab) => (
        <a key={tab} href={addressOfTab(name, tab)} aria-current={tab === current ? "page" : undefined}>
          {names[tab]}
        </a>
      ))}
    </nav>
  );
}
