// Container image (OCI image format 1.1): layers, configuration and manifests in a layout, and an archive for
// `docker load`. The layout is one for all processors.
import { dirname, join } from "node:path";
import { packLayer } from "./layer.ts";
import { type Architecture, manifest } from "./manifest.ts";
import { type Entry, file, gzip, type PackageInput } from "./tree.ts";

const { name, version, user, port, image, paths } = manifest;
const TYPE = "application/vnd.oci.image";
/** In ns, as Docker counts. */
const SECOND = 1_000_000_000;

interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** Description of a blob in a manifest. */
type Descriptor = Omit<Blob, "bytes"> & { readonly platform?: object; readonly annotations?: object };

/** The image of one processor. */
export interface BuiltImage {
  readonly debian: Architecture["debian"];
  readonly blobs: readonly Blob[];
  readonly config: Blob;
  readonly layers: readonly Blob[];
  readonly manifest: Blob;
}

interface ImageInput {
  /** With the binary and the notices. */
  readonly files: readonly Entry[];
  /** Libraries that the binary loads. */
  readonly libc: readonly Entry[];
  /** Seconds since the epoch. */
  readonly releasedAt: number;
}

/** Where an archive is written, and its time. */
type Target = Pick<PackageInput, "out" | "releasedAt">;

/** Builds layers, configuration and manifest. */
export function buildImage(architecture: Architecture, { files, libc, releasedAt }: ImageInput): BuiltImage {
  const contents = [[...libc, ...listSystemFiles()], listProgramFiles(files)];
  const archives = contents.map((entries) => packLayer(entries, releasedAt));
  const layers = archives.map((archive) => toBlob(`${TYPE}.layer.v1.tar+gzip`, gzip(archive)));
  const config = toBlob(`${TYPE}.config.v1+json`, describeConfig(architecture, { archives, releasedAt }));
  const own = toBlob(`${TYPE}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config: describe(config),
    layers: layers.map(describe),
    annotations: describeLabels(releasedAt),
  });
  return { debian: architecture.debian, blobs: [...layers, config, own], config, layers, manifest: own };
}

/** What the C library and the program expect of a system. */
function listSystemFiles(): Entry[] {
  const { name: login, uid } = user;
  return [
    file(
      "/etc/passwd",
      `root:x:0:0:root:/:/sbin/nologin\n${login}:x:${uid}:${uid}:${login}:${image.state}:/sbin/nologin\n`,
    ),
    file("/etc/group", `root:x:0:\n${login}:x:${uid}:\n`),
    file("/etc/nsswitch.conf", "hosts: files dns\n"),
    { path: image.state, mode: 0o700, content: "folder", owner: uid },
    { path: "/tmp", mode: 0o1777, content: "folder" },
  ];
}

function listProgramFiles(files: readonly Entry[]): Entry[] {
  const found = (path: string) => files.find((entry) => entry.path === path)!;
  return [{ ...found(paths.binary), path: image.path }, found(`${paths.doc}/copyright`)];
}

function describeConfig(
  { debian }: Architecture,
  { archives, releasedAt }: { readonly archives: readonly Uint8Array[]; readonly releasedAt: number },
): object {
  return {
    created: toIso(releasedAt),
    architecture: debian,
    os: "linux",
    config: {
      User: `${user.uid}:${user.uid}`,
      ExposedPorts: { [`${port}/tcp`]: {} },
      Env: [`PATH=${dirname(image.path)}`, `TORUS_STORAGE_PATH=${image.state}`],
      Entrypoint: [name],
      // The loopback of a container is not reachable from outside.
      Cmd: ["serve", "--listen", `0.0.0.0:${port}`],
      Volumes: { [image.state]: {} },
      WorkingDir: image.state,
      Labels: describeLabels(releasedAt),
      // An extension of Docker, which others leave alone.
      Healthcheck: {
        Test: ["CMD", name, "health"],
        Interval: 30 * SECOND,
        Timeout: 5 * SECOND,
        StartPeriod: 10 * SECOND,
      },
    },
    rootfs: { type: "layers", diff_ids: archives.map(digestOf) },
    history: archives.map(() => ({ created: toIso(releasedAt), created_by: "npm run release" })),
  };
}

/** Annotations of the OCI image specification. */
function describeLabels(releasedAt: number): Readonly<Record<string, string>> {
  const prefix = "org.opencontainers.image";
  return {
    [`${prefix}.title`]: name,
    [`${prefix}.description`]: manifest.summary,
    [`${prefix}.version`]: version,
    [`${prefix}.licenses`]: manifest.license,
    [`${prefix}.created`]: toIso(releasedAt),
    [`${prefix}.base.name`]: `debian:${image.suite}`,
  };
}

/** Writes the layout of the images of all processors as one archive. @returns its path */
export async function writeLayout(images: readonly BuiltImage[], input: Target): Promise<string> {
  const index = images.map(({ manifest: own, debian }) => ({
    ...describe(own),
    platform: { architecture: debian, os: "linux" },
    annotations: { "org.opencontainers.image.ref.name": version },
  }));
  return packImages(join(input.out, `${name}-${version}-oci.tar`), { images, index, input });
}

/** Writes the archive of one processor for `docker load`: a layout with Docker's own list. @returns its path */
export async function writeDockerArchive(image: BuiltImage, input: Target): Promise<string> {
  const pathOf = ({ digest }: Blob) => `blobs/${digest.replace(":", "/")}`;
  const list = [
    { Config: pathOf(image.config), RepoTags: [`${name}:${version}`], Layers: image.layers.map(pathOf) },
  ];
  const out = join(input.out, `${name}-${version}-docker-${image.debian}.tar`);
  const index = [
    { ...describe(image.manifest), annotations: { "io.containerd.image.name": `${name}:${version}` } },
  ];
  return packImages(out, { images: [image], index, input, further: { "manifest.json": list } });
}

interface Layout {
  readonly images: readonly BuiltImage[];
  readonly index: readonly Descriptor[];
  readonly input: Target;
  readonly further?: Readonly<Record<string, unknown>>;
}

async function packImages(path: string, { images, index, input, further = {} }: Layout): Promise<string> {
  const { releasedAt } = input;
  const blobs = images.flatMap((one) => one.blobs);
  const texts = {
    "oci-layout": { imageLayoutVersion: "1.0.0" },
    "index.json": { schemaVersion: 2, mediaType: `${TYPE}.index.v1+json`, manifests: index },
    ...further,
  };
  const entries = [
    ...blobs.map(({ digest, bytes }) => file(`/blobs/${digest.replace(":", "/")}`, bytes)),
    ...Object.entries(texts).map(([at, value]) => file(`/${at}`, JSON.stringify(value))),
  ];
  await Bun.write(path, packLayer(entries, releasedAt));
  return path;
}

function toBlob(mediaType: string, content: Uint8Array | object): Blob {
  const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
  return { mediaType, digest: digestOf(bytes), size: bytes.length, bytes };
}

const describe = ({ mediaType, digest, size }: Blob): Descriptor => ({ mediaType, digest, size });
const digestOf = (bytes: Uint8Array) =>
  `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
const toIso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
