// Configuration of Telegraf for a bucket of this server, to copy.

/** Output of Telegraf that writes into a `local` bucket of this server. */
export function Telegraf({ bucket }: { bucket: string }) {
  const base = new URL("..", location.href);
  const url = `${base.origin}${base.pathname.replace(/\/$/, "")}`;
  return (
    <pre>
      {[
        "[[outputs.influxdb_v2]]",
        `  urls = ["${url}"]`,
        `  bucket = "${bucket}"`,
        '  organization = "any"',
        '  token = "TOKEN"',
      ].join("\n")}
    </pre>
  );
}
