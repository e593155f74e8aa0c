import type { PersonId } from "../../../core/ids.ts";

/** What the bot says when a call needs a log-in of whoever asked. Names and addresses come in as mrkdwn that is already inert. */
export const english = {
  ask: (title: string, link: string) =>
    `To go on I have to call *${title}* with your own account there. <${link}|Log in at ${title}>. The link is for you alone, works once and for ten minutes; then the answer goes on by itself.`,
  elsewhere: (asker: PersonId, title: string) =>
    `<@${asker}>, I have sent you a direct message: ${title} needs your log-in before I can go on.`,
  done: (title: string) => `You are logged in at ${title}. The answer goes on.`,
  expired: (title: string) => `Nobody logged in at ${title} in time, so the answer went on without it.`,
  withdrawn: (title: string) => `The link to log in at ${title} is worth nothing any more: nothing waits for it.`,
};

export const german: typeof english = {
  ask: (title, link) =>
    `Um weiterzumachen, muss ich *${title}* mit deinem eigenen Konto aufrufen. <${link}|Bei ${title} anmelden>. Der Link ist nur für dich, er gilt einmal und zehn Minuten lang; danach geht die Antwort von selbst weiter.`,
  elsewhere: (asker, title) =>
    `<@${asker}>, ich habe dir eine Direktnachricht geschickt: ${title} braucht deine Anmeldung, bevor ich weitermachen kann.`,
  done: (title) => `Du bist bei ${title} angemeldet. Die Antwort geht weiter.`,
  expired: (title) => `Bei ${title} hat sich niemand rechtzeitig angemeldet, deshalb ging die Antwort ohne weiter.`,
  withdrawn: (title) => `Der Link zur Anmeldung bei ${title} gilt nicht mehr: Nichts wartet mehr darauf.`,
};
