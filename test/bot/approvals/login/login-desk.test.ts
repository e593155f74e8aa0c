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
  const dead: string[] = [];
  const desk = new LoginDesk({
    link: async () => link,
    withdraw: async (given) => void dead.push(given),
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
  const ask = (asked: Question = question, waiting: () => void = () => undefined, signal = stop.signal) =>
    desk.forTenant(acme).ask(asked, { server: "tracker", title: "Tracker" }, signal, waiting);
  return { ask, posted, dead, clock, stop, drained: () => desk.drained(), logIn: () => (there = true) };
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

  test("gets one link, however many calls of the answer wait for it; all go on when they are back", async () => {
    const { ask, posted, dead, clock, logIn } = setup();
    let asked = 0;
    const calls = [1, 2, 3].map(() => ask(question, () => void (++asked === 3 && logIn())));
    expect(await passing(clock, Promise.all(calls))).toEqual(["logged-in", "logged-in", "logged-in"]);
    expect(posted.filter(({ channel }) => channel.startsWith("D"))).toHaveLength(1);
    expect(posted).toHaveLength(2);
    expect(dead).toEqual([]);
  });

  test("has a link that is worth nothing once the last call that waits for it is stopped, and not before", async () => {
    const { ask, posted, dead, clock, stop, drained } = setup();
    const one = new AbortController();
    const first = ask(question, undefined, one.signal);
    const other = ask(question, () => one.abort(new Error("only this call")));
    await expect(passing(clock, first)).rejects.toThrow("only this call");
    expect(dead).toEqual([]);
    stop.abort(new Error("stopped"));
    await expect(other).rejects.toThrow("stopped");
    await drained();
    expect(dead).toEqual([link]);
    expect(posted[0]?.text).toBe("The link to log in at Tracker is worth nothing any more: nothing waits for it.");
  });

  test("reads it in their own language", async () => {
    const { ask, posted, clock, logIn } = setup({ locale: "de-DE" });
    const asked = ask(question, () => {
      expect(posted[0]?.text).toContain(`<${link}|Bei Tracker anmelden>`);
      logIn();
    });
    await passing(clock, asked);
    expect(posted[0]?.text).toBe("Du bist bei Tracker angemeldet. Die Antwort geht weiter.");
  });

  test("has ten minutes, and the link is not left standing", async () => {
    const { ask, posted, dead, clock } = setup();
    expect(await passing(clock, ask())).toBe("expired");
    expect(posted[0]?.text).not.toContain("secret");
    expect(dead).toEqual([link]);
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
