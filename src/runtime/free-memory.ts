// Memory of arrays, given back at once: each page of a blob that garbage collection frees later costs a page fault.

/** Frees the memory of an array that nothing reads any more, and of all arrays that share its buffer. */
export function freeMemory({ buffer }: Float64Array): void {
  (buffer as ArrayBuffer).transfer(0);
}
