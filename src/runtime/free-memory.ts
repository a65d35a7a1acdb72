// Memory of arrays, given back at once: garbage collection leaves tens of megabytes of blobs, whose pages cost a fault each.

/** Frees the memory of an array that nothing reads any more, and of all arrays that share its buffer. */
export function freeMemory({ buffer }: Float64Array): void {
  (buffer as ArrayBuffer).transfer(0);
}
