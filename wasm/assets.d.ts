// Files that are part of the program: their import is a path that also works inside the compiled binary.
declare module "*.wasm" {
  const path: string;
  export default path;
}
