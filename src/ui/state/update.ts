// Detection of a server upgrade: the page of the server names other files than this one.
import { signal } from "@preact/signals";
import { onChange } from "./events.ts";

export const isUpdated = signal(false);

/** Compares after each lost connection: an upgrade restarts the server. @returns a function that ends it */
export function followUpdates(): () => void {
  const own = document.querySelector("script[src]")?.getAttribute("src");
  return onChange([], () => {
    fetch("./", { cache: "no-cache" })
      .then((answer) => (answer.ok ? answer.text() : undefined))
      .then((page) => {
        if (page !== undefined && own && !page.includes(own)) isUpdated.value = true;
      })
      .catch(() => undefined);
  });
}
