// Reasons of upstream errors: each names the way out that fits.
import { expect, test } from "bun:test";
import { connectionError, statusError } from "../../src/net/refusal.ts";

const upstream = { label: "InfluxDB at db:8086", secrets: [] };
const failed = (code: string) => connectionError(upstream, Object.assign(new Error(code), { code })).message;

test.each([
  ["CERT_HAS_EXPIRED", "the certificate has expired: renew it, or check the clock of this server"],
  ["CERT_NOT_YET_VALID", "the certificate is not valid yet: check the clocks of both servers"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is one of another name: set a host that it names"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "check ca_certs, the host name"],
])("TLS that fails by %s", (code, way) => {
  expect(failed(code)).toBe(`InfluxDB at db:8086: TLS failed (${code}); ${way}, or switch verify_ssl off`);
});

test.each([
  [404, "<html>not here</html>", "answered 404; check the address"],
  [404, '{"error": "no such index"}', "answered 404: no such index"],
  [500, "", "answered 500"],
])("status %d and %s", (status, body, reason) => {
  expect(statusError(upstream, { status, body }).message).toBe(`InfluxDB at db:8086: ${reason}`);
});
