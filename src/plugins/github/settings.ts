import type { Settings } from "../contract.ts";

/** Why GitHub cannot be used with these settings, as a sentence for people. */
export function notConfigured({ token, api_url }: Settings): string | undefined {
  if (!token) return "GitHub needs a token, which is not set.";
  return api_url && !/^https?:\/\/\S+$/.test(api_url) ? "GitHub's setting api_url must begin with http or https." : undefined;
}
