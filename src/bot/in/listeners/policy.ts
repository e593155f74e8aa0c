import { z } from "zod";
import { notByAPerson, readChange, readMessage } from "../../turns/slack-message.ts";
import type { Delivery, Policy } from "./listener.ts";

const command = z.object({ user_id: z.string().min(1), command: z.string().min(1) });
const cause = z.object({ user: z.string().min(1) });
const click = z.object({ user: z.object({ id: z.string().min(1) }) });

/** Why a delivery is not let through to a listener with this policy; undefined lets it through. */
export function refusal(policy: Policy, { installation, payload, body }: Delivery): string | undefined {
  switch (policy) {
    case "person-message": {
      const message = readMessage(payload);
      return message ? notByAPerson(message, installation.botUserId) : "no message of a person";
    }
    case "person-writing": {
      const message = readChange(payload)?.message ?? readMessage(payload);
      return message ? notByAPerson(message, installation.botUserId) : "no message of a person";
    }
    case "person-event": {
      const caused = cause.safeParse(payload);
      if (!caused.success) return "nobody caused it";
      return caused.data.user === installation.botUserId ? "own event" : undefined;
    }
    case "app-removed":
    case "slack-says":
      return undefined;
    case "person-click": {
      const clicked = click.safeParse(body);
      if (!clicked.success) return "nobody clicked";
      return clicked.data.user.id === installation.botUserId ? "own click" : undefined;
    }
    case "person-command": {
      const given = command.safeParse(payload);
      if (!given.success) return "no command of a person";
      return given.data.user_id === installation.botUserId ? "own command" : undefined;
    }
    default:
      return policy satisfies never;
  }
}
