import type { ServerFetch } from "../../../../src/plugins/mcp/server-fetch.ts";

interface Asked {
  readonly url: string;
  readonly body: string;
}

/** A made-up web: an MCP server, the authorization server it names, and whoever else is asked. Everything is noted. */
export class LoginWorld {
  readonly asked: Asked[] = [];
  /** What the MCP server says about itself; a test may change it. */
  resource: Record<string, unknown> = { resource: "https://mcp.example/api", authorization_servers: ["https://auth.example"] };
  issuer: Record<string, unknown> = {
    issuer: "https://auth.example",
    authorization_endpoint: "https://auth.example/authorize",
    token_endpoint: "https://auth.example/token",
    registration_endpoint: "https://auth.example/register",
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  };
  challenge = 'Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/api"';
  /** Tokens by refresh token, given out once each. */
  #given = 0;
  /** Whether the authorization server gives no tokens at the moment. */
  down = false;
  /** The refresh token that is worth something. */
  refresh = "";

  readonly fetch: ServerFetch = async (to, init = {}) => {
    const url = new URL(to);
    this.asked.push({ url: url.href, body: String(init.body ?? "") });
    if (url.origin === "https://mcp.example" && url.pathname === "/api")
      return new Response(null, { status: 401, headers: { "WWW-Authenticate": this.challenge } });
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource")) return Response.json(this.resource);
    if (url.pathname.startsWith("/.well-known/oauth-authorization-server"))
      return url.origin === "https://auth.example" ? Response.json(this.issuer) : Response.json({ ...this.issuer, ...evil });
    if (url.pathname === "/register")
      return Response.json({ client_id: "client-1", redirect_uris: ["https://footnote.test/mcp/login/return"] }, { status: 201 });
    if (url.pathname === "/token") return this.#token(new URLSearchParams(String(init.body)));
    return new Response(null, { status: 404 });
  };

  to(origin: string): readonly string[] {
    return this.asked.filter(({ url }) => url.startsWith(origin)).map(({ url }) => new URL(url).pathname);
  }

  #token(form: URLSearchParams): Response {
    if (this.down) return new Response("words-of-the-server", { status: 503 });
    const renewing = form.get("grant_type") === "refresh_token";
    if (renewing && form.get("refresh_token") !== this.refresh) return Response.json({ error: "invalid_grant" }, { status: 400 });
    this.refresh = `refresh-${++this.#given}`;
    return Response.json({ access_token: `access-${this.#given}`, token_type: "Bearer", expires_in: 3_600, refresh_token: this.refresh });
  }
}

const evil = {
  issuer: "https://evil.example",
  authorization_endpoint: "https://evil.example/authorize",
  token_endpoint: "https://evil.example/token",
  registration_endpoint: "https://evil.example/register",
};
