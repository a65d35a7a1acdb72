// Delivery codes: kinds of the error of a failed delivery.
import type { ErrorCode } from "../errors.ts";

export const deliveryCodes = [
  "unreachable",
  "unauthorized",
  "rejected",
  "deadline",
  "not_set_up",
  "failed",
  "internal",
] as const;
/**
 * `unreachable`: no connection, or no room, another attempt may help; `not_set_up`: settings of the server lack, or do
 * not allow, what the hook needs; `failed`: the program of a hook.
 */
export type DeliveryCode = (typeof deliveryCodes)[number];

const codes: Partial<Readonly<Record<ErrorCode, DeliveryCode>>> = {
  bucket_unavailable: "unreachable",
  overloaded: "unreachable",
  storage_full: "unreachable",
  storage_unavailable: "unreachable",
  canceled: "unreachable",
  bucket_auth: "unauthorized",
  deadline: "deadline",
  not_supported: "not_set_up",
  internal: "internal",
};

/** Of an error that a receiver, or the way to it, answers. */
export function deliveryCodeOf(code: ErrorCode): DeliveryCode {
  return codes[code] ?? "rejected";
}
