// Title of the browser's tab: anomalies in progress, and the name of the screen, the model or the series.
import { effect } from "@preact/signals";
import { badges } from "./badges.ts";
import { texts } from "./preferences.ts";
import { route } from "./route.ts";

/** `(2) cpu - Torus`. */
export function followTitle(): void {
  effect(() => {
    const [page = "now", name, , series] = route.value.path;
    const { addModel, ...names } = texts.value;
    const ofPage = page === "new" ? addModel : (names as Readonly<Record<string, unknown>>)[page];
    const shown = series ?? name ?? (typeof ofPage === "string" ? ofPage : undefined);
    const { anomalies = 0 } = badges.value;
    document.title = `${anomalies > 0 ? `(${anomalies}) ` : ""}${shown === undefined ? "" : `${shown} - `}Torus`;
  });
}
