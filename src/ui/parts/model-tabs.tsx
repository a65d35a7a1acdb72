// Tabs of a model's page: links to addresses of their own, `#/models/NAME/TAB`.
import type { ComponentType } from "preact";
import type { ModelView } from "../../api/model.ts";
import { buildRoute } from "../lib/route.ts";
import { texts } from "../state/preferences.ts";

/** In the order of the bar; the chart is `#/models/NAME`. */
export const modelTabs = ["chart", "tune", "forecast", "versions", "hooks", "settings"] as const;
export type ModelTabName = (typeof modelTabs)[number];

export interface ModelTabProps {
  readonly model: ModelView;
  /** Reads the model again. */
  readonly refresh: () => Promise<void>;
}

/** Tabs without a component are not shown. */
export type ModelTabs = Readonly<Partial<Record<ModelTabName, ComponentType<ModelTabProps>>>>;

export function addressOfTab(name: string, tab: ModelTabName): string {
  return buildRoute(tab === "chart" ? ["models", name] : ["models", name, tab]);
}

interface BarProps {
  readonly name: string;
  readonly current: ModelTabName;
  readonly tabs: ModelTabs;
}

export function ModelTabBar({ name, current, tabs }: BarProps) {
  const { label, names } = texts.value.modelTabs;
  return (
    <nav class="tabs" aria-label={label}>
      {modelTabs
        .filter((tab) => tabs[tab])
        .map((tab) => (
          <a key={tab} href={addressOfTab(name, tab)} aria-current={tab === current ? "page" : undefined}>
            {names[tab]}
          </a>
        ))}
    </nav>
  );
}
