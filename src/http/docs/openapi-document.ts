// The shape of an OpenAPI 3.1 document, as far as ours goes.

/** A TypeBox schema is a JSON Schema, which is what OpenAPI 3.1 wants. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** Ways to log in, each with the scope needed; none for what is open. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly ApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, ApiMedia>>; readonly required: boolean };
  readonly responses: Readonly<Record<string, ApiResponse | { readonly $ref: string }>>;
  /** Of a POST that clients may repeat where its answer is lost. */
  readonly "x-idempotent"?: true;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface ApiMedia {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface ApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, ApiMedia>>;
}

export interface ApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
  };
}
