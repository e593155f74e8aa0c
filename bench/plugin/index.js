/** A plugin as somebody else would write it: one tool that asks the load harness's tool server, which waits as long as it is told. */
export const plugin = {
  name: "bench",
  contractVersion: 1,
  tools: [
    {
      name: "bench_tool",
      description: "Waits, then returns a result.",
      parameters: {
        type: "object",
        properties: {
          ms: { type: "number", description: "How long to wait, in milliseconds." },
          tag: { type: "string", description: "What the result is marked with." },
        },
        required: ["ms", "tag"],
      },
      annotations: { title: "Bench", readOnly: true },
      configure: ({ url }) => (url ? undefined : "FOOTNOTE_PLUGIN_BENCH_URL is not set."),
      describeCall: ({ ms }) => `Waiting for ${ms} ms`,
      execute: async ({ ms, tag }, { settings, signal }) => {
        const response = await fetch(`${settings.url}/tool?ms=${ms}&tag=${encodeURIComponent(tag)}`, { signal });
        if (!response.ok) throw new Error(`The tool server answered ${response.status}.`);
        const { result } = await response.json();
        return { type: "text", content: result, metadata: {}, status: "success" };
      },
    },
  ],
};
