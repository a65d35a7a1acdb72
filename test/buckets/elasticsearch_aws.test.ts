// Kind `elasticsearch_aws`: signatures of the published examples, and requests to a verifying server.
import { afterEach, describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { createElasticsearchAwsKind } from "../../src/buckets/elasticsearch_aws/index.ts";
import { signRequest } from "../../src/buckets/elasticsearch_aws/sigv4.ts";
import { closeLater, closeServers } from "../net/fetch.support.ts";
import { makeCertificate } from "../support/certificate.ts";
import { startElastic } from "../support/elasticsearch.ts";
import { runContract } from "./contract.ts";
import { marker, runFaults } from "./faults.ts";
import { aFeature, aQuery, expectColumn, idle } from "./support.ts";

const key = { accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const exampleAt = Date.UTC(2015, 7, 30, 12, 36);
const Host = "example.amazonaws.com";

describe("signature version 4: the published test suite", () => {
  test.each([
    ["get-vanilla", "GET", "/", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
    [
      "get-vanilla-query-order-key-case",
      "GET",
      "/?Param2=value2&Param1=value1",
      {},
      "",
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
    ],
    ["post-vanilla", "POST", "/", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
    [
      "get-unreserved",
      "GET",
      "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
      {},
      "",
      "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
    ],
    [
      "post-x-www-form-urlencoded",
      "POST",
      "/",
      { "Content-Type": "application/x-www-form-urlencoded" },
      "Param1=value1",
      "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
    ],
  ] as const)("%s", (_name, method, path, headers, body, signature) => {
    const scope = { region: "us-east-1", service: "service" };
    const added = signRequest(
      { method, path, headers: { Host, ...headers }, body },
      { key, scope },
      exampleAt,
    );
    expect(added["X-Amz-Date"]).toBe("20150830T123600Z");
    expect(added.Authorization).toEndWith(`Signature=${signature}`);
    expect(added.Authorization).toStartWith(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=",
    );
  });

  test("the example of the manual: ListUsers", () => {
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
      Host: "iam.amazonaws.com",
    };
    const parts = { method: "GET", path: "/?Action=ListUsers&Version=2010-05-08", headers, body: "" };
    const added = signRequest(parts, { key, scope: { region: "us-east-1", service: "iam" } }, exampleAt);
    expect(added.Authorization).toEndWith(
      "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
    );
  });

  test("a session token is sent and signed", () => {
    const scope = { region: "r", service: "es" };
    const parts = { method: "GET", path: "/", headers: { Host }, body: "" };
    const added = signRequest(parts, { key: { ...key, sessionToken: "session" }, scope }, exampleAt);
    expect(added["X-Amz-Security-Token"]).toBe("session");
    expect(added.Authorization).toContain("SignedHeaders=host;x-amz-date;x-amz-security-token,");
  });
});

const hmac = (secret: string | Buffer, text: string) => createHmac("sha256", secret).update(text).digest();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Checks a signature as the service does: from the request that came in. */
function refuseUnsigned(request: Request, body: string): string | undefined {
  const url = new URL(request.url);
  const authorization = request.headers.get("authorization") ?? "";
  const [, credential, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w{64})$/.exec(authorization) ??
    [];
  if (!credential || !names) return "Missing Authentication Token";
  const [id, day, region, service, end] = credential.split("/");
  const lines = names.split(";").map((name) => `${name}:${request.headers.get(name)}\n`);
  const path = url.pathname
    .split("/")
    .map((part) => encodeURIComponent(part).replaceAll("*", "%2A"))
    .join("/");
  const query = url.search.slice(1).split("&").filter(Boolean).sort().join("&");
  const canonical = [request.method, path, query, lines.join(""), names, sha256(body)].join("\n");
  const time = request.headers.get("x-amz-date")!;
  const toSign = ["AWS4-HMAC-SHA256", time, [day, region, service, end].join("/"), sha256(canonical)].join(
    "\n",
  );
  const signing = [day!, region!, service!, end!].reduce<string | Buffer>(hmac, `AWS4${key.secretKey}`);
  const valid =
    id === key.accessKey &&
    time === "20150830T123600Z" &&
    hmac(signing, toSign).toString("hex") === signature;
  return valid ? undefined : "The request signature we calculated does not match the signature you provided.";
}

const kind = createElasticsearchAwsKind({ now: () => exampleAt });
const open = (addr: string, more = {}) =>
  kind.open(
    "b",
    {
      host: `http://${addr}`,
      region: "eu-west-1",
      index: "points-*",
      access_key: key.accessKey,
      secret_key: key.secretKey,
      ...more,
    },
    { dataDir: "" },
  );

runContract({
  kind: "elasticsearch_aws",
  measurements: false,
  oneNamespace: true,
  ancient: false,
  allowsName: (name) => !name.includes("*"),
  allowsValue: () => true,
  create: async (settings) => {
    const server = startElastic({ guard: refuseUnsigned });
    const bucket = open(server.addr, settings);
    return { bucket, seed: (points) => bucket.write!(points, {}, idle()), dispose: () => server.stop() };
  },
});

runFaults({
  kind: "elasticsearch_aws",
  open: (addr, timeout) => open(addr, { timeout, access_key: `id-${marker}`, secret_key: marker }),
});

describe("elasticsearch_aws", () => {
  afterEach(closeServers);

  test("a wrong key is an authentication error without the key", async () => {
    const server = startElastic({ guard: refuseUnsigned });
    closeLater(() => server.stop());
    const features = [aFeature({ metric: "count" })];
    const query = aQuery(features, 1);
    const failure = await open(server.addr, { secret_key: "wrong-secret" })
      .read(query, idle())
      .catch((error) => error);
    expect(failure).toMatchObject({ code: "bucket_auth" });
    expect(`${failure.message}`).not.toContain("wrong-secret");
    expectColumn((await open(server.addr).read(query, idle())).columns.f!, [0]);
  });

  test("a certificate that does not verify is refused unless verify_ssl is off", async () => {
    const { cert, key } = makeCertificate();
    let requests = 0;
    const fetch = () => {
      requests++;
      return Response.json({ version: { number: "8.0.0" } });
    };
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: { cert, key }, fetch });
    closeLater(() => void server.stop(true));
    const features = [aFeature({ metric: "count" })];
    const query = aQuery(features, 1);
    const host = `https://127.0.0.1:${server.port}`;
    await expect(open("", { host }).read(query, idle())).rejects.toMatchObject({
      code: "bucket_unavailable",
      message: expect.stringContaining("TLS failed"),
    });
    expect(requests).toBe(0);
    // Only whether the request arrives matters here, not how its answer is read.
    await open("", { host, verify_ssl: false })
      .read(query, idle())
      .catch(() => {});
    expect(requests).toBeGreaterThan(0);
  });
});
