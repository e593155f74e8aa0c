import { z } from "zod";

/** Results one by one: one of another form does not cost the others. */
export function each<T>(form: z.ZodType<T>, results: readonly unknown[]): readonly T[] {
  return results.flatMap((result) => {
    const { data } = form.safeParse(result);
    return data === undefined ? [] : [data];
  });
}

/** A text that may be missing. */
export const words = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
