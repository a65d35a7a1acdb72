// Deeply read-only types, of views and of stored values.

/** `T` whose properties and entries are read-only at every depth. */
export type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;
