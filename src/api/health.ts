import type { Route } from "./http-server.ts";
import { respond } from "./http-server.ts";

/** `/healthz` says that the process lives; `/readyz` that it takes questions (503 while it starts and drains). */
export function healthRoutes(ready: () => boolean): readonly Route[] {
  return [
    { method: "GET", path: "/healthz", policy: "public", handle: (_request, response) => respond(response, 200, "ok") },
    {
      method: "GET",
      path: "/readyz",
      policy: "public",
      handle: (_request, response) => (ready() ? respond(response, 200, "ready") : respond(response, 503, "not ready")),
    },
  ];
}
