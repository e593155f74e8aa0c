import type { PersonId } from "../../../core/ids.ts";
import type { Connection } from "./connections.ts";

/** What the bot says when a call needs a log-in of whoever asked. Names and addresses come in as mrkdwn that is already inert. */
export const english = {
  ask: (title: string, link: string) =>
    `To go on I have to call *${title}* with your own account there. <${link}|Log in at ${title}>. The link is for you alone, works once and for ten minutes; then the answer goes on by itself.`,
  elsewhere: (asker: PersonId, title: string) =>
    `<@${asker}>, I have sent you a direct message: ${title} needs your log-in before I can go on.`,
  done: (title: string) => `You are logged in at ${title}. The answer goes on.`,
  expired: (title: string) => `Nobody logged in at ${title} in time, so the answer went on without it.`,
  withdrawn: (title: string) => `The link to log in at ${title} is worth nothing any more: nothing waits for it.`,
  /** A link that somebody has asked for themselves. */
  here: (title: string, link: string) => `<${link}|Log in at ${title}>. The link is for you alone, works once and for ten minutes.`,
  connections: "Your accounts elsewhere",
  connection: (title: string, host: string | undefined, state: Connection["state"]) =>
    [
      `*${title}*${host === undefined ? "" : ` (${host})`}`,
      {
        connected: "Connected: when you ask, calls there are made with your own account.",
        ended: "Your log-in there has ended. When you ask next, you are led to it; logging out destroys what is left of it here.",
        none: "Not connected. When a question of yours needs it, you are asked to log in.",
      }[state],
    ].join("\n"),
  logIn: "Log in",
  logOut: "Log out",
};

export const german: typeof english = {
  ask: (title, link) =>
    `Um weiterzumachen, muss ich *${title}* mit deinem eigenen Konto aufrufen. <${link}|Bei ${title} anmelden>. Der Link ist nur für dich, er gilt einmal und zehn Minuten lang; danach geht die Antwort von selbst weiter.`,
  elsewhere: (asker, title) =>
    `<@${asker}>, ich habe dir eine Direktnachricht geschickt: ${title} braucht deine Anmeldung, bevor ich weitermachen kann.`,
  done: (title) => `Du bist bei ${title} angemeldet. Die Antwort geht weiter.`,
  expired: (title) => `Bei ${title} hat sich niemand rechtzeitig angemeldet, deshalb ging die Antwort ohne weiter.`,
  withdrawn: (title) => `Der Link zur Anmeldung bei ${title} gilt nicht mehr: Nichts wartet mehr darauf.`,
  here: (title, link) => `<${link}|Bei ${title} anmelden>. Der Link ist nur für dich, er gilt einmal und zehn Minuten lang.`,
  connections: "Deine Konten anderswo",
  connection: (title, host, state) =>
    [
      `*${title}*${host === undefined ? "" : ` (${host})`}`,
      {
        connected: "Verbunden: Wenn du fragst, wird dort mit deinem eigenen Konto aufgerufen.",
        ended:
          "Deine Anmeldung dort ist abgelaufen. Bei deiner nächsten Frage wirst du hingeführt; Abmelden löscht, was hier davon übrig ist.",
        none: "Nicht verbunden. Wenn eine Frage von dir es braucht, wirst du gebeten, dich anzumelden.",
      }[state],
    ].join("\n"),
  logIn: "Anmelden",
  logOut: "Abmelden",
};
