import { z } from "zod";
import { notByAPerson, readMessage } from "../../turns/slack-message.ts";
import type { Delivery, Policy } from "./listener.ts";

const click = z.object({ user: z.object({ id: z.string().min(1) }) });

/** Why a delivery is not let through to a listener with this policy; undefined lets it through. */
export function refusal(policy: Policy, { installation, payload, body }: Delivery): string | undefined {
  switch (policy) {
    case "person-message": {
      const message = readMessage(payload);
      return message ? notByAPerson(message, installation.botUserId) : "no message of a person";
    }
    case "person-click": {
      const clicked = click.safeParse(body);
      if (!clicked.success) return "nobody clicked";
      return clicked.data.user.id === installation.botUserId ? "own click" : undefined;
    }
    default:
      return policy satisfies never;
  }
}
