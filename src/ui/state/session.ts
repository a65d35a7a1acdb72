// Session of the page: token, scope, reachability of the server; requests on its behalf.
import { computed, signal } from "@preact/signals";
import type { SessionView } from "../../api/server/session.ts";
import { createClient, Problem } from "../api/client.ts";
import { followClock, serverNow } from "./clock.ts";
import { serverZone, texts } from "./preferences.ts";

const TOKEN = "torus.token";

const token = signal<string | undefined>(
  sessionStorage.getItem(TOKEN) ?? localStorage.getItem(TOKEN) ?? undefined,
);
export const session = signal<SessionView | undefined>(undefined);
/** Whether a token must be given before anything else is shown. */
export const needsToken = signal(false);
/** Since when the server does not answer, seconds since the epoch. */
export const offlineSince = signal<number | undefined>(undefined);

const ranks = { read: 0, run: 1, admin: 2 } as const;
/** Whether the token may do what needs a scope. */
export const may = computed(() => (scope: "run" | "admin") => {
  const own = session.value?.scope as keyof typeof ranks | undefined;
  return own !== undefined && ranks[own] >= ranks[scope];
});

export const request = createClient({
  base: "..",
  token: () => token.value,
  tell: (code, message) => texts.peek().problem(code, message),
  onAnswer: (status, headers, sentToken) => {
    followClock(headers?.get("date") ?? null);
    if (status === 0) offlineSince.value ??= serverNow();
    else offlineSince.value = undefined;
    // A request that was sent before the sign-in says nothing of the token in use.
    if (status === 401 && sentToken === token.value) needsToken.value = true;
  },
});

/** Opens a stream of events after the last one that is known. @returns undefined where the server refuses */
export async function openStream(
  path: string,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | undefined> {
  if (needsToken.value) return undefined;
  const { ok, body } = await fetch(`..${path}`, {
    signal,
    headers: {
      ...(token.value !== undefined && { authorization: `Bearer ${token.value}` }),
      ...(lastId !== undefined && { "last-event-id": lastId }),
    },
  });
  return ok && body ? body : undefined;
}

/** Saves an answer as a file. @param accept media type, where the path has several. @throws Problem */
export async function download(path: string, fileName: string, accept?: string): Promise<void> {
  const blob = await request<Blob>(path, { as: "blob", ...(accept && { accept }) });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  // Browsers begin to save before the next task at the latest.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Reads the session. @throws Problem unless the server wants a token */
export async function openSession(): Promise<void> {
  try {
    session.value = await request<SessionView>("/session");
    serverZone.value = session.value.timezone;
    needsToken.value = false;
  } catch (error) {
    if (!(error instanceof Problem && error.status === 401)) throw error;
  }
}

/** @param keep in this browser; otherwise until its window is closed. @throws Problem where the token is not accepted */
export async function signIn(given: string, keep: boolean): Promise<void> {
  token.value = given;
  session.value = await request<SessionView>("/session");
  serverZone.value = session.value.timezone;
  (keep ? localStorage : sessionStorage).setItem(TOKEN, given);
  needsToken.value = false;
}

export function signOut(): void {
  sessionStorage.removeItem(TOKEN);
  localStorage.removeItem(TOKEN);
  token.value = undefined;
  session.value = undefined;
  needsToken.value = true;
}
