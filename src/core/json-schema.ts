/** The part of JSON Schema that every model understands: an object whose properties are described. */
export interface JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchemaProperty>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** One parameter. Other keywords (enum, minimum, items, ...) are allowed and checked by the validator. */
export interface JsonSchemaProperty {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
}
