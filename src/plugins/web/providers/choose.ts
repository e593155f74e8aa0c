import type { Settings } from "../../contract.ts";
import type { SearchProvider } from "./provider.ts";

/** Every service, with the setting it needs. Of several that are set up the first is taken, unless `provider` names another. */
const services: readonly { readonly id: string; readonly setting: string; load(value: string): Promise<SearchProvider> }[] = [
  { id: "searxng", setting: "searxng_url", load: async (url) => (await import("./searxng.ts")).searxng(url) },
  { id: "brave", setting: "brave_key", load: async (key) => (await import("./brave.ts")).brave(key) },
  { id: "tavily", setting: "tavily_key", load: async (key) => (await import("./tavily.ts")).tavily(key) },
  { id: "serpapi", setting: "serpapi_key", load: async (key) => (await import("./serpapi.ts")).serpApi(key) },
];

/** Loads the search service of these settings when it is first used; or why there is none, as a sentence for people. */
export function chosenProvider(settings: Settings): (() => Promise<SearchProvider>) | string {
  const { provider } = settings;
  const named = services.find(({ id }) => id === provider?.toLowerCase());
  if (provider && !named) return `Web search does not know the provider ${JSON.stringify(provider.slice(0, 40))}; it knows ${ids()}.`;
  const service = named ?? services.find(({ setting }) => settings[setting]);
  if (!service) return `Web search has no provider yet: it needs a SearXNG address or a key of Brave, Tavily or SerpAPI.`;
  const value = settings[service.setting];
  if (!value) return `Web search lacks the setting ${service.setting} for its provider ${service.id}.`;
  if (service.id === "searxng" && !isWebAddress(value)) return "Web search needs an address with http or https as searxng_url.";
  return () => service.load(value);
}

const ids = () => services.map(({ id }) => id).join(", ");

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
