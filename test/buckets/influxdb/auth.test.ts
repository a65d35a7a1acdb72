// Kind `influxdb` with authentication: rights of users, and messages without secrets.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { admin, type Influxd, influxdMissing, startInfluxd } from "../../support/influxd.ts";
import { NONE } from "../cases.ts";
import { expectColumn, idle } from "../support.ts";
import { makePoint, open, readOne } from "./support.ts";

describe.skipIf(Boolean(influxdMissing))("real server with authentication", () => {
  const marker = "MARKER-pw-77";
  const database = "secured";
  let server: Influxd;
  beforeAll(async () => {
    server = await startInfluxd({ auth: true });
    await server.query(`create database ${database}`);
    for (const [user, right] of [
      ["writer", "all"],
      ["reader", "read"],
    ] as const) {
      await server.query(`create user ${user} with password '${marker}'`);
      await server.query(`grant ${right} on ${database} to ${user}`);
    }
  });
  afterAll(() => server.stop());

  const write = (bucket: Bucket) => bucket.write!([makePoint(0, { v: 1 })], {}, idle());

  test.each([
    ["dbuser and dbuser_password", { dbuser: "writer", dbuser_password: marker }],
    ["username and password", { username: "writer", password: marker, dbuser: "" }],
  ])("%s open it: write, read, clear without being administrator", async (_, credentials) => {
    const bucket = open(server, { database, ...credentials });
    await write(bucket);
    expectColumn(await readOne(bucket), [1, NONE, NONE]);
    await bucket.clear!(idle());
    expectColumn(await readOne(bucket), [NONE, NONE, NONE]);
  });

  test("credentials in the address do, too", async () => {
    const bucket = open(server, { database, addr: `http://writer:${marker}@${server.addr}` });
    await write(bucket);
    expectColumn(await readOne(bucket), [1, NONE, NONE]);
  });

  test("an administrator creates the missing database", async () => {
    const bucket = open(server, { database: "fresh", dbuser: admin.user, dbuser_password: admin.password });
    await write(bucket);
    expectColumn(await readOne(bucket), [1, NONE, NONE]);
  });

  test.each([
    ["nobody", {}],
    ["a wrong password", { dbuser: "writer", dbuser_password: `${marker}-wrong` }],
    ["an unknown user", { dbuser: `user-${marker}`, dbuser_password: marker }],
    ["a wrong token", { token: `token-${marker}` }],
  ])("%s: bucket_auth, and the message says nothing of the credentials", async (_, credentials) => {
    const bucket = open(server, { database, ...credentials });
    for (const attempt of [() => readOne(bucket), () => write(bucket), () => bucket.clear!(idle())]) {
      const error = await attempt().then(
        () => undefined,
        (thrown) => thrown,
      );
      expect(error).toMatchObject({ code: "bucket_auth" });
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(marker);
      expect(error.message).not.toContain("writer");
    }
  });

  test.each([
    ["nobody", {}, "unable to parse authentication credentials"],
    ["a wrong password", { dbuser: "writer", dbuser_password: "nope" }, "authorization failed"],
    ["an unknown user", { dbuser: "stranger", dbuser_password: "nope" }, "authorization failed"],
  ])("%s: the message says what the server said, and nothing else", async (_, credentials, said) => {
    const error = await readOne(open(server, { database, ...credentials })).catch((thrown) => thrown);
    expect(error.message).toBe(`InfluxDB at ${server.addr}: refused the credentials (401): ${said}`);
  });

  test("with write access alone, a conflict of types shows as the message of the server", async () => {
    await server.query("create user pen with password 'pen-pw'");
    await server.query(`grant write on ${database} to pen`);
    await write(open(server, { database, dbuser: "writer", dbuser_password: marker }));
    const bucket = open(server, { database, dbuser: "pen", dbuser_password: "pen-pw" });
    await write(bucket);
    await expect(bucket.write!([makePoint(1, { v: "text" })], {}, idle())).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("partial write: field type conflict"),
    });
    await expect(readOne(bucket)).rejects.toMatchObject({ code: "bucket_auth" });
  });

  test("a reader reads, and may neither write nor clear nor create", async () => {
    await write(open(server, { database, dbuser: "writer", dbuser_password: marker }));
    const credentials = { dbuser: "reader", dbuser_password: marker };
    const bucket = open(server, { database, ...credentials });
    expectColumn(await readOne(bucket), [1, NONE, NONE]);
    await expect(write(bucket)).rejects.toMatchObject({ code: "bucket_auth" });
    await expect(bucket.clear!(idle())).rejects.toMatchObject({ code: "bucket_auth" });
    await expect(write(open(server, { database: "other", ...credentials }))).rejects.toMatchObject({
      code: "bucket_auth",
    });
    expectColumn(await readOne(bucket), [1, NONE, NONE]);
  });
});
