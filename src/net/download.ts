// Download of a text from a secret URL: conditional, bounded, and without the URL in any message.
import { Client, type Fetched, type Validators } from "./fetch.ts";
import { statusOnly } from "./refusal.ts";
import { readUrl } from "./url.ts";

const TIMEOUT_MS = 15_000;

interface Download {
  /** Name of the source in messages. */
  readonly software: string;
  readonly url: string;
  readonly known: Validators;
  readonly verify_ssl: boolean;
  /** Refuses this machine and private networks. */
  readonly publicOnly: boolean;
  readonly maxBytes: number;
}

/**
 * @returns the text, undefined if it is the same as before
 * @throws TorusError see `Client`; its message holds neither path and query nor anything of the answer
 */
export async function download(options: Download, signal: AbortSignal): Promise<Fetched | undefined> {
  const { software, url, known, verify_ssl, publicOnly, maxBytes } = options;
  const { address, path } = readUrl(url)!;
  const client = new Client({
    ...{ software, address, defaultPort: 80, tls: { verify_ssl }, publicOnly, maxBytes },
    timeoutMs: TIMEOUT_MS,
    secrets: [url, ...(path.length > 1 ? [path] : [])],
  });
  try {
    return await client.getIfChanged(path, known, signal);
  } catch (error) {
    throw statusOnly(error, software);
  }
}
