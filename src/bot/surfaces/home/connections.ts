import type { KnownBlock, ModalView } from "@slack/types";
import type { Connection } from "../../approvals/login/connections.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { section } from "../blocks.ts";
import type { Clicked } from "../desk.ts";
import { button, plain, sayingModal } from "../parts.ts";
import { type HomeState, readHomeState } from "./home-state.ts";

/** More servers than this fill nobody's Home: `/footnote mcp` lists all. */
const MOST_SHOWN = 8;

/** The servers at which somebody has an account of their own, each with a way to log in or out. Nothing where there are none. */
export function connectionBlocks(connections: readonly Connection[], { login: words }: Catalogue): KnownBlock[] {
  if (connections.length === 0) return [];
  return [
    { type: "divider" },
    { type: "header", text: plain(words.connections, 150) },
    ...connections.slice(0, MOST_SHOWN).map(({ server, title, host, state }) => ({
      ...section(words.connection(plainMrkdwn(title), host && plainMrkdwn(host), state)),
      // Of its own for each state: Slack keeps what it shows of a block that stays the same.
      block_id: `connection ${server} ${state}`,
      accessory:
        state === "none" ? button("connection_log_in", words.logIn, server) : button("connection_log_out", words.logOut, server, "danger"),
    })),
  ];
}

/** Gives somebody a link that is theirs alone, in a modal that nobody else sees. */
export async function openLogIn({ click, person, desk, words }: Clicked): Promise<ModalView> {
  const connection = (await desk.connections?.of(person.id))?.find(({ server }) => server === click.value);
  const link = connection && (await desk.connections?.link(connection.server, person.id));
  const sentence = link ? words.login.here(plainMrkdwn(connection.title), link) : words.surface.refused;
  return sayingModal(words.login.connections, sentence, words);
}

/** Destroys what is kept of somebody's own log-in. */
export async function logOutAtHome({ click, person, desk }: Clicked): Promise<{ readonly state: HomeState }> {
  await desk.connections?.logOut(click.value, person.id);
  return { state: readHomeState(click.view?.metadata ?? "") };
}
