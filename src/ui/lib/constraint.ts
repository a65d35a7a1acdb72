// Constraints of forecasts in addresses and requests: `load:high:30000`; pure.

export interface ConstraintText {
  readonly feature: string;
  readonly type: "high" | "low";
  readonly threshold: number;
}

/** `load:high:30000`; a name of a feature may hold colons. */
export function readConstraint(text: string): ConstraintText | undefined {
  const [, feature, type, number] = /^(.+):(high|low):(.+)$/.exec(text) ?? [];
  const threshold = Number(number);
  if (feature === undefined || number?.trim() === "" || !Number.isFinite(threshold)) return undefined;
  return { feature, type: type as "high" | "low", threshold };
}

export function writeConstraint({ feature, type, threshold }: ConstraintText): string {
  return `${feature}:${type}:${threshold}`;
}
