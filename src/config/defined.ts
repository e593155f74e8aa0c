/** The same object without its undefined fields, as exactOptionalPropertyTypes wants it. */
export function defined<T>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
