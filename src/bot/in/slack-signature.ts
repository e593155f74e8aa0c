import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Secret } from "../../core/secret.ts";

/** Slack's signing secrets have 32 characters; anything much shorter is a mistake that would let forged events in. */
const shortestSecret = 16;
/** Requests signed longer ago, or further ahead, are refused. */
const maxSkewSeconds = 300;

/** Refuses to start with a secret that protects nothing. An empty key makes a valid HMAC. @throws AppError SIGNING_SECRET_UNSAFE */
export function requireSigningSecret(secret: Secret | undefined): Secret {
  if (!secret || secret.reveal().trim().length < shortestSecret) throw new AppError("SIGNING_SECRET_UNSAFE");
  return secret;
}

/** Whether Slack signed exactly these bytes not long ago. Wall-clock time, since Slack signs with it. */
export function signedBySlack(headers: IncomingMessage["headers"], body: Buffer, secret: Secret, clock: Clock): boolean {
  const signature = headers["x-slack-signature"];
  const timestamp = headers["x-slack-request-timestamp"];
  if (typeof signature !== "string" || typeof timestamp !== "string" || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(clock.now().getTime() / 1_000 - Number(timestamp)) > maxSkewSeconds) return false;
  const expected = Buffer.from(`v0=${createHmac("sha256", secret.reveal()).update(`v0:${timestamp}:`).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
