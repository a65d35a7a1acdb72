// Preferences of this browser: language, theme, time zone; kept in localStorage.
import { computed, effect, signal } from "@preact/signals";
import { createMoments, createNumbers } from "../lib/format.ts";
import { en, type Texts } from "../texts/en.ts";

/** Languages beside English, files of their own: a line adds one. */
const translations = { de: async (): Promise<Texts> => (await import("../texts/de.ts")).de };
export type Language = "en" | keyof typeof translations;
export const languages: readonly Language[] = ["en", ...(Object.keys(translations) as Language[])];
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const zones = ["browser", "utc", "server"] as const;
export type Zone = (typeof zones)[number];

const preferred = languages.find((each) => navigator.language.startsWith(each)) ?? "en";

export const language = stored("language", languages, preferred);
export const theme = stored("theme", themes, "system");
export const zone = stored("zone", zones, "browser");
/** Whether single letters are keys: WCAG 2.1.4. */
export const letterKeys = stored("letterKeys", ["on", "off"] as const, "on");
/** IANA zone of the server; undefined until it is known. */
export const serverZone = signal<string | undefined>(undefined);

/** English until the texts of another language are here; those of screens come with the first screen. */
export const texts = signal<Texts>(en as Texts);
/** IANA name of the zone in which times are shown. */
export const zoneName = computed(() => {
  const ofBrowser = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { browser: ofBrowser, utc: "UTC", server: serverZone.value ?? ofBrowser }[zone.value];
});
export const numbers = computed(() => createNumbers(language.value));
export const moments = computed(() => createMoments(language.value, zoneName.value));

/** Applies theme and language to the page. @returns a promise that ends with the first texts */
export async function applyPreferences(): Promise<void> {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
  await applyLanguage(language.value);
  language.subscribe((chosen) => void applyLanguage(chosen));
}

let screenTexts: Promise<void> | undefined;

/** Loads the texts of the screens, which the list does without; other languages than English come whole. */
export function loadScreenTexts(): Promise<void> {
  screenTexts ??= Promise.resolve().then(() => applyLanguage(language.peek()));
  return screenTexts;
}

async function loadEnglish(): Promise<Texts> {
  return screenTexts ? { ...en, ...(await import("../texts/en.ts")).enScreens } : (en as Texts);
}

async function applyLanguage(chosen: Language): Promise<void> {
  const loaded = await (chosen === "en" ? loadEnglish() : translations[chosen]());
  // Another one may have been chosen meanwhile.
  if (language.peek() !== chosen) return;
  texts.value = loaded;
  document.documentElement.lang = chosen;
}

/** A signal that is kept; a stored value that is not known counts as absent. */
function stored<T extends string>(key: string, known: readonly T[], fallback: T) {
  const found = localStorage.getItem(`torus.${key}`);
  const value = signal<T>(known.find((candidate) => candidate === found) ?? fallback);
  effect(() => localStorage.setItem(`torus.${key}`, value.value));
  return value;
}
