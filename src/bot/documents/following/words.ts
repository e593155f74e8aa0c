import type { SyncReport } from "../../../knowledge/sources/source-store.ts";

type Counts = Pick<SyncReport, "added" | "changed" | "moved" | "removed" | "unchanged" | "failed">;

/** "6 h", "30 min", "2 days" of minutes. */
const span = (minutes: number, [day, days]: readonly [string, string]): string =>
  minutes % 1_440 === 0
    ? `${minutes / 1_440} ${minutes === 1_440 ? day : days}`
    : minutes % 60 === 0
      ? `${minutes / 60} h`
      : `${minutes} min`;

const counted = (counts: Counts, names: Readonly<Record<keyof Counts, string>>, nothing: string): string =>
  (Object.keys(names) as (keyof Counts)[])
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${names[name]}`)
    .join(", ") || nothing;

/** What is said of the sources that documents are kept current from. Names come in as mrkdwn that is already inert. */
export const english = {
  title: "Sources",
  heading: "Sources that are kept current",
  none: "None yet that you may read. The files of a channel can be one.",
  open: "See",
  follow: "Follow a channel's files",
  channel: (channel: string) => `Files in ${channel}`,
  place: (name: string, kind: string) => `${name} (${kind})`,
  kinds: { folder: "folder", website: "website", git: "Git repository" },
  documents: (count: number) => (count === 1 ? "1 document" : `${count} documents`),
  unread: (count: number) => `${count} not read`,
  lastRun: (on: string, status: SyncReport["status"]) => `${status === "failed" ? "failed" : "read"} ${on}`,
  neverRun: "not read yet",
  every: (minutes: number) => `every ${span(minutes, ["day", "days"])}`,
  whenAsked: "when asked",
  whenChanged: "when something changes",
  readers: "Everybody who reads the channel can get answers from it, and nobody else.",
  last: "The last run",
  counts: (counts: Counts) =>
    counted(
      counts,
      { added: "new", changed: "changed", moved: "moved", removed: "removed", unchanged: "unchanged", failed: "not read" },
      "Nothing was there.",
    ),
  notRead: "Not read",
  more: (count: number) => `and ${count} more`,
  readNow: "Read now",
  reading: ":hourglass_flowing_sand: It is read as soon as may be. Open this again in a moment.",
  end: "Stop following",
  keep: "Keep following",
  endAsk: "Its documents are removed, unless somebody has added them as well.",
  ended: (place: string, documents: number) =>
    `${place}: not followed any more. ${documents === 1 ? "1 document was" : `${documents} documents were`} taken out.`,
  intro: "All documents that are shared in the channel are read, and kept as they are there: what is new, changed, deleted or taken back.",
  whichChannel: "Channel",
  choose: "Choose a channel",
  howOften: "How often all of it is looked at",
  limits:
    "A file that comes or goes is noticed at once besides. Documents only: no pictures, canvases, or files that are kept elsewhere. The newest 2,000, up to 25 MB each. I must be in the channel.",
  moreChannels: (count: number) => `${count} more channels are not in this list. \`footnote source add slack:<name>\` takes any.`,
  noChannel: "There is no channel that you read and that is not followed already.",
  begin: "Follow",
  begun: (channel: string) =>
    `The files in ${channel} are read now and followed from here on. If I am not in it yet: \`/invite @footnote\` there.`,
  followed: (channel: string) => `The files in ${channel} are followed already.`,
  listed: "Channels whose files are read",
};

export const german: typeof english = {
  title: "Quellen",
  heading: "Quellen, die aktuell gehalten werden",
  none: "Noch keine, die du lesen darfst. Die Dateien eines Channels können eine sein.",
  open: "Ansehen",
  follow: "Dateien eines Channels folgen",
  channel: (channel) => `Dateien in ${channel}`,
  place: (name, kind) => `${name} (${kind})`,
  kinds: { folder: "Ordner", website: "Website", git: "Git-Repository" },
  documents: (count) => (count === 1 ? "1 Dokument" : `${count} Dokumente`),
  unread: (count) => `${count} nicht gelesen`,
  lastRun: (on, status) => `${status === "failed" ? "gescheitert" : "gelesen"} ${on}`,
  neverRun: "noch nicht gelesen",
  every: (minutes) => (minutes === 1_440 ? "jeden Tag" : `alle ${span(minutes, ["Tag", "Tage"])}`),
  whenAsked: "auf Zuruf",
  whenChanged: "wenn sich etwas ändert",
  readers: "Alle, die den Channel lesen, bekommen Antworten daraus, und sonst niemand.",
  last: "Der letzte Lauf",
  counts: (counts) =>
    counted(
      counts,
      { added: "neu", changed: "geändert", moved: "verschoben", removed: "entfernt", unchanged: "unverändert", failed: "nicht gelesen" },
      "Nichts war da.",
    ),
  notRead: "Nicht gelesen",
  more: (count) => `und ${count} weitere`,
  readNow: "Jetzt lesen",
  reading: ":hourglass_flowing_sand: Sie wird so bald wie möglich gelesen. Öffne dies gleich noch einmal.",
  end: "Nicht mehr folgen",
  keep: "Weiter folgen",
  endAsk: "Ihre Dokumente werden entfernt, sofern sie nicht auch jemand hinzugefügt hat.",
  ended: (place, documents) =>
    `${place}: Dem wird nicht mehr gefolgt. ${documents === 1 ? "1 Dokument wurde" : `${documents} Dokumente wurden`} herausgenommen.`,
  intro:
    "Alle Dokumente, die im Channel geteilt sind, werden gelesen und so gehalten, wie sie dort sind: Neues, Geändertes, Gelöschtes, Zurückgenommenes.",
  whichChannel: "Channel",
  choose: "Wähle einen Channel",
  howOften: "Wie oft alles angesehen wird",
  limits:
    "Kommt oder geht eine Datei, wird das außerdem gleich bemerkt. Nur Dokumente: keine Bilder, Canvases oder Dateien, die anderswo liegen. Die neuesten 2.000, bis 25 MB je Datei. Ich muss im Channel sein.",
  moreChannels: (count) => `${count} weitere Channels stehen nicht in dieser Liste. \`footnote source add slack:<name>\` nimmt jeden.`,
  noChannel: "Es gibt keinen Channel, den du liest und dem nicht schon gefolgt wird.",
  begin: "Folgen",
  begun: (channel) =>
    `Die Dateien in ${channel} werden jetzt gelesen und von nun an verfolgt. Falls ich dort noch nicht bin: \`/invite @footnote\`.`,
  followed: (channel) => `Den Dateien in ${channel} wird schon gefolgt.`,
  listed: "Channels, deren Dateien gelesen werden",
};
