// Preferences of this browser: language, theme, time zone; kept in localStorage.
import { computed, effect, signal } from "@preact/signals";
import { createMoments } from "../lib/format.ts";
import { en, type Texts } from "../texts/en.ts";

/** Languages other than the first are loaded when they are chosen. */
export const languages = {
  en: async () => en,
  de: () => import("../texts/de.ts").then(({ de }) => de),
} as const satisfies Record<string, () => Promise<Texts>>;
export type Language = keyof typeof languages;
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const zones = ["browser", "utc", "server"] as const;
export type Zone = (typeof zones)[number];

const preferred: Language = navigator.language.startsWith("de") ? "de" : "en";

export const language = stored("language", ["en", "de"] as const, preferred);
export const theme = stored("theme", themes, "system");
export const zone = stored("zone", zones, "browser");
/** IANA zone of the server; undefined until it is known. */
export const serverZone = signal<string | undefined>(undefined);

export const texts = signal<Texts>(en);
export const moments = computed(() => {
  const zoneName = { browser: undefined, utc: "UTC", server: serverZone.value }[zone.value];
  return createMoments(language.value, zoneName);
});

/** Applies theme and language to the page. @returns when the texts are there */
export async function applyPreferences(): Promise<void> {
  let loading: Promise<void> | undefined;
  effect(() => {
    const chosen = language.value;
    document.documentElement.lang = chosen;
    document.documentElement.dataset.theme = theme.value;
    const load = async () => {
      const loaded = await languages[chosen]();
      if (language.peek() === chosen) texts.value = loaded;
    };
    // Without its file, as after an upgrade of the server, the page stays in the language it has.
    loading = load().catch(() => undefined);
  });
  await loading;
}

/** A signal that is kept; a stored value that is not known counts as absent. */
function stored<T extends string>(key: string, known: readonly T[], fallback: T) {
  const found = localStorage.getItem(`torus.${key}`);
  const value = signal<T>(known.find((candidate) => candidate === found) ?? fallback);
  effect(() => localStorage.setItem(`torus.${key}`, value.value));
  return value;
}
