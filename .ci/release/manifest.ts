// Manifest of a release: what packages, images, unit and man page say of the program, each once.
import pack from "../../package.json" with { type: "json" };

/** A processor by the names of the build and of the packaging formats. */
export interface Architecture {
  /** Target of `npm run build`. */
  readonly target: string;
  /** Also that of images. */
  readonly debian: "amd64" | "arm64";
  readonly rpm: "x86_64" | "aarch64";
  /** Folder of shared libraries. */
  readonly multiarch: string;
  /** Loader of shared libraries that the binary names. */
  readonly loader: string;
}

export const manifest = {
  name: pack.name,
  version: pack.version,
  license: pack.license,
  summary: pack.description,
  description: [
    "Torus learns the normal course of time series, raises anomalies and forecasts.",
    "It reads points from databases or receives them, and notifies by mail, chat",
    "or webhook. Server, dashboard and command line are one binary.",
  ],
  maintainer: "The Torus authors <maintainers@torus.example>",
  /** Revision of the packages of one version. */
  revision: "1",
  user: { name: "torus", uid: 8077 },
  port: 8077,
  paths: {
    binary: "/usr/bin/torus",
    config: "/etc/torus",
    settings: "/etc/torus/torus.yml",
    state: "/var/lib/torus",
    unit: "/usr/lib/systemd/system/torus.service",
    doc: "/usr/share/doc/torus",
    man: "/usr/share/man/man1/torus.1.gz",
  },
  completions: {
    bash: "/usr/share/bash-completion/completions/torus",
    zsh: "/usr/share/zsh/vendor-completions/_torus",
    zshOfRpm: "/usr/share/zsh/site-functions/_torus",
    fish: "/usr/share/fish/vendor_completions.d/torus.fish",
  },
  /** Oldest C library the binary starts with. */
  glibc: "2.17",
  /** Image: Debian's C library and the binary; state in a volume. */
  image: { suite: "bookworm", state: "/data", path: "/usr/local/bin/torus" },
  architectures: [
    {
      // Debian's amd64 includes processors without AVX2.
      target: "linux-x64-baseline",
      debian: "amd64",
      rpm: "x86_64",
      multiarch: "x86_64-linux-gnu",
      loader: "/lib64/ld-linux-x86-64.so.2",
    },
    {
      target: "linux-arm64",
      debian: "arm64",
      rpm: "aarch64",
      multiarch: "aarch64-linux-gnu",
      loader: "/lib/ld-linux-aarch64.so.1",
    },
  ] satisfies Architecture[],
} as const;

export type Channel = "deb" | "rpm" | "image" | "clients" | "docs" | "deploy";
export const channels: readonly Channel[] = ["deb", "rpm", "image", "clients", "docs", "deploy"];
/** Those that hold the program. */
export const programChannels: readonly Channel[] = ["deb", "rpm", "image"];
