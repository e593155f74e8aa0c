import { describe, expect, test } from "@jest/globals";
import type { Question } from "../../../../src/agent/ports.ts";
import { LoginDesk } from "../../../../src/bot/approvals/login/login-desk.ts";
import { channelId, messageTs } from "../../../../src/core/ids.ts";
import { silentLogger } from "../../../../src/core/logger.ts";
import { person } from "../../../fakes/people.ts";
import { acme } from "../../../fakes/tool-context.ts";
import { ManualClock } from "../../../playground/manual-clock.ts";

const alice = person("alice");
const link = "https://footnote.test/mcp/login/start/secret";
const question: Question = {
  ...{ tenant: acme, person: alice.id, channel: channelId("C1"), thread: messageTs("1.0"), message: messageTs("1.1"), text: "?" },
};

function setup({ locale, broken = false }: { readonly locale?: string; readonly broken?: boolean } = {}) {
  const posted: { readonly channel: string; text: string; readonly to?: string }[] = [];
  const clock = new ManualClock();
  let there = false;
  const desk = new LoginDesk({
    link: async () => link,
    isLoggedIn: async () => there,
    slackOf: async () => ({
      writer: {
        post: async (channel, _thread, content) => {
          if (broken) throw new Error("cannot_dm_bot");
          posted.push({ channel, text: content()?.text ?? "" });
          return messageTs(String(posted.length));
        },
        update: async (_channel, ts, content) => {
          const message = posted[Number(ts) - 1];
          if (message) message.text = content()?.text ?? "";
          return true;
        },
        postEphemeral: async (channel, to, { text }) => void posted.push({ channel, text, to }),
      },
      directory: {
        directMessage: async (id) => channelId(`D_${id}`),
        person: async () => ({ ...alice, ...(locale !== undefined && { locale }) }),
      },
    }),
    ...{ clock, log: silentLogger },
  });
  const stop = new AbortController();
  const ask = (asked: Question = question, waiting: () => void = () => undefined) =>
    desk.forTenant(acme).ask(asked, { server: "tracker", title: "Tracker" }, stop.signal, waiting);
  return { ask, posted, clock, stop, logIn: () => (there = true) };
}

/** Lets time pass until the promise is settled. */
async function passing<T>(clock: ManualClock, waited: Promise<T>): Promise<T> {
  let settled = false;
  void waited.then(
    () => (settled = true),
    () => (settled = true),
  );
  while (!settled) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return waited;
}

describe("somebody whose question needs a log-in", () => {
  test("gets the link in their direct message alone; the channel only hears that there is one", async () => {
    const { ask, posted, clock, logIn } = setup();
    const outcome = await passing(
      clock,
      ask(question, () => void logIn()),
    );
    expect(outcome).toBe("logged-in");
    expect(posted.map(({ channel, to }) => [channel, to])).toEqual([
      [`D_${alice.id}`, undefined],
      ["C1", alice.id],
    ]);
    expect(posted[1]?.text).not.toContain("secret");
    expect(posted[0]?.text).toBe("You are logged in at Tracker. The answer goes on.");
  });

  test("reads it in their own language", async () => {
    const { ask, posted, clock, stop } = setup({ locale: "de-DE" });
    const waited = ask(question, () => stop.abort(new Error("stopped")));
    await expect(passing(clock, waited)).rejects.toThrow("stopped");
    expect(posted[0]?.text).toContain(`<${link}|Bei Tracker anmelden>`);
  });

  test("has ten minutes, and the link is not left standing", async () => {
    const { ask, posted, clock } = setup();
    expect(await passing(clock, ask())).toBe("expired");
    expect(posted[0]?.text).not.toContain("secret");
  });

  test("who cannot be reached directly gets no link anywhere else", async () => {
    const { ask, posted } = setup({ broken: true });
    expect(await ask()).toBe("nobody");
    expect(posted).toEqual([]);
  });

  test("outside of Slack nobody is asked", async () => {
    const { message: _none, ...outside } = question;
    expect(await setup().ask(outside)).toBe("nobody");
  });
});
