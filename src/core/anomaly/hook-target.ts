// Target of a hook in one text: the address, file or topic that its settings name, secrets aside.

const keys = ["url", "bucket", "path", "topic", "to"];

/**
 * The target of a hook.
 * @param config without secrets
 * @returns an empty text where the address itself is a secret
 */
export function hookTarget(config: Readonly<Record<string, unknown>>): string {
  const key = keys.find((name) => config[name] !== undefined);
  const value = key === undefined ? "" : config[key];
  const addresses = (Array.isArray(value) ? value : [value]).map((each) =>
    typeof each === "object" && each !== null
      ? String((each as { address?: unknown }).address)
      : String(each),
  );
  return addresses.join(", ");
}
