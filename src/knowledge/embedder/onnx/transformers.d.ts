/** What is used of the package. It is not installed with the program: it weighs half a gigabyte, which only those need who run such a model. */
declare module "@huggingface/transformers" {
  export const env: { allowRemoteModels: boolean; localModelPath: string };
  export function pipeline(
    task: "feature-extraction",
    model: string,
    options: { readonly dtype: "q8" | "fp32"; readonly local_files_only: true },
  ): Promise<
    (texts: readonly string[], options: { readonly pooling: "mean"; readonly normalize: true }) => Promise<{ tolist(): number[][] }>
  >;
}
