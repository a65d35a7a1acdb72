// Declares imports of .yml files as presets: their test checks each against the schema.
declare module "*.yml" {
  const preset: import("./preset.ts").Preset;
  export default preset;
}
