// Types of snappyjs, which has none.
declare module "snappyjs" {
  /** The bytes as a block of snappy. */
  export function compress(bytes: Uint8Array): Uint8Array;
}
