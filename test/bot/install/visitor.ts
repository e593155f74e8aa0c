/** A browser that follows no redirect by itself and keeps cookies, to see every step of an installation. */
export class Visitor {
  readonly #cookies = new Map<string, string>();
  /** What Set-Cookie said last, with its attributes. */
  lastCookie = "";
  /** Another window of the same browser. */
  copy(): Visitor {
    const window = new Visitor();
    for (const [name, value] of this.#cookies) window.#cookies.set(name, value);
    return window;
  }

  async get(
    url: string | URL,
  ): Promise<{ readonly status: number; readonly location: string; readonly body: string; readonly headers: Headers }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: cookie ? { cookie } : {} });
    for (const set of response.headers.getSetCookie()) {
      this.lastCookie = set;
      const [name = "", value = ""] = set.split(";")[0]?.split("=") ?? [];
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    return {
      status: response.status,
      location: response.headers.get("location") ?? "",
      body: await response.text(),
      headers: response.headers,
    };
  }
}

/** What somebody chooses on Slack's page: a workspace, an organisation or "cancel"; and who they are. */
export interface Choice {
  readonly choice: string;
  readonly person?: string;
  /** Of an organisation: names of the workspaces that are approved. */
  readonly workspaces?: string;
}

/** Goes to the program's page and chooses on Slack's; gives the address that Slack then sends the browser to. */
export async function agree(visitor: Visitor, url: string, chosen: Choice): Promise<string> {
  const consent = new URL((await visitor.get(`${url}/slack/install`)).location);
  for (const [name, value] of Object.entries(chosen)) consent.searchParams.set(name, value);
  return (await new Visitor().get(consent)).location;
}
