import { stemmer } from "stemmer";

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Forms that no stemmer knows. */
const irregular = new Map(
  list(`lost:lose losing:lose stolen:steal stole:steal paid:pay taken:take took:take bought:buy sent:send told:tell given:give gave:give kept:keep held:hold met:meet
  spent:spend broken:break broke:break died:die dying:die dead:die written:write wrote:write chosen:choose chose:choose flown:fly flew:fly flights:fly flight:fly sold:sell made:make
  found:find brought:bring begun:begin began:begin grew:grow grown:grow won:win ran:run hired:hire hiring:hire children:child people:person`).map(
    (pair) => {
      const [from = "", to = ""] = pair.split(":");
      return [from, to] as const;
    },
  ),
);

/** Words that say nothing about what is asked: English first, then the commonest of German, French and Spanish. */
const stopWords: ReadonlySet<string> = new Set(
  list(`a about after again all also am an and any anybody anyone anything are as at be because been before being but by ca can cannot could did do does doing done
  for from had has have having he her here hers him his how i if in into is it its just let may me might mine more most much many long often must my no nor not
  of off on once only or other our ours out over own per please same shall she should so some somebody someone something such than that the
  their theirs them then there these they this those through to too under until up us very was we were what whats when where which while who whom whose
  why will with wo would yes yet you your yours hi hello hey thanks ok okay footnote
  der die das den dem des ein eine einen einem einer und oder ist sind war wie was wer wo wann warum welche welcher welches ich wir ihr sie es mein unser
  mit von zu zum zur im in am an auf für bei nicht auch nach
  le la les un une des du de et ou est sont quel quelle quels quelles qui que quoi comment combien quand je nous vous il elle ils pour dans sur avec au aux ce
  el los las una unos del y o es son qué que quién cuál cómo cuándo cuánto cuántos dónde yo nosotros para por con en al`),
);

/** Words that many questions have and that seldom decide which passage answers them. */
const lightWords: ReadonlySet<string> = new Set(
  list(`policy policies company team rule rules tell know explain describe summarise summarize summary find show give get gets got need needs use used take takes
  make makes want happen happens work works go going allow allowed apply applies month week year hour call contact reach ask email everyone everybody people person employee employees
  document documents handbook information info thing things way time new day days kind sort exactly currently really like say says mean means`).map(
    stemOf,
  ),
);
const LIGHT = 0.4;
const NAME = 1.5;

/** What newcomers call one thing and handbooks another. Any word of a line stands for the others, a little less surely. */
const synonyms = new Map<string, readonly string[]>();
/** The same, as people write them. */
const synonymWords = new Map<string, readonly string[]>();
for (const line of `
vacation holiday leave pto
parental maternity paternity parent
baby birth child newborn parental
father paternity parental
mother maternity parental
sick ill illness sickness unwell
salary pay wage compensation earn paid
bonus reward
raise increase
expense reimburse reimbursement claim
claim file reimburse submit
submit file hand
reimburse expense file claim
everybody every all
remote home wfh
abroad foreign overseas
laptop computer notebook device
phone mobile telephone
quit resign leave terminate notice
fire dismiss terminate
boss lead manager supervisor
hire recruit candidate
interview candidate hiring
trip travel
flight fly plane air
hotel accommodation lodging overnight
train rail
food meal dinner lunch
breach incident leak
hack incident security attack
hacked incident security phishing
steal lose theft
lose steal misplace
misplace lose
money allowance budget pay
training course learning
start begin first
begin start
end finish until
doctor medical certificate
report tell inform notify
contact reach call email
lead leader manage run
password credential login
wifi network internet
die death bereavement funeral
death bereavement
funeral bereavement
grandmother relative
grandfather relative
grandparent relative
sister relative
brother relative
sibling relative
uncle relative
aunt relative
husband partner spouse
wife partner spouse
spouse partner
kid child children
ride journey travel
journey travel trip
commute travel journey
free cost
cost free price
price cost
use unused
unused use remaining
leftover unused
car mileage drive
drive mileage car
taxi cab travel
screen monitor display
monitor screen
bike bicycle cycle
bicycle bike cycle
doc doctor
note certificate
permission approval
approve agree permission
`
  .trim()
  .split("\n")) {
  const [, ...written] = list(line);
  const [word = "", ...others] = list(line).map(stemOf);
  synonymWords.set(word, [...(synonymWords.get(word) ?? []), ...written]);
  synonyms.set(word, [...(synonyms.get(word) ?? []), ...others]);
}
const SYNONYM = 0.75;

/** Where somebody may want to work or travel: handbooks say "abroad". */
for (const country of list(`spain portugal france germany italy greece switzerland austria netherlands belgium denmark sweden norway finland poland ireland england
  scotland britain usa america canada mexico brazil india japan china thailand australia turkey croatia bali europe asia africa`)) {
  synonyms.set(stemOf(country), [...(synonyms.get(stemOf(country)) ?? []), stemOf("abroad")]);
}

/** One word of a question: how much it matters, and what stands for it. */
export interface Term {
  readonly stem: string;
  readonly weight: number;
  /** A name or a number: a passage without it speaks of somebody or something else. */
  readonly name: boolean;
}

/** The words of a text that carry meaning, reduced to their stems, in order. */
export function stems(text: string): string[] {
  return words(text)
    .filter((word) => !stopWords.has(word))
    .map(stemOf);
}

/** The distinct terms of a question. Names (capitals inside a sentence) and numbers matter more. */
export function terms(question: string): readonly Term[] {
  const names = new Set([...question.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]+|\p{N}+/gu)].map(([word]) => stemOf(fold(word))));
  return [...new Set(stems(question))].map((stem) => {
    const name = names.has(stem);
    return { stem, name, weight: lightWords.has(stem) ? LIGHT : name ? NAME : 1 };
  });
}

/** How well a set of stems holds a term: 1 by the word itself, less by a synonym or a longer compound, else 0. */
export function holds(stemsOfText: ReadonlySet<string>, stem: string): number {
  if (stemsOfText.has(stem)) return 1;
  if (synonyms.get(stem)?.some((other) => stemsOfText.has(other))) return SYNONYM;
  if (stem.length < 5) return 0;
  for (const other of stemsOfText) if (other.length > 4 && (other.startsWith(stem) || stem.startsWith(other))) return SYNONYM;
  return 0;
}

const MOST_WORDS = 16;

/** What to look for by words alone: the question's own words, then what a handbook may call the same. */
export function searchWords(question: string): string {
  const own = words(question).filter((word) => !stopWords.has(word));
  const others = own.flatMap((word) => synonymWords.get(stemOf(word)) ?? []);
  return [...new Set([...own, ...others])].slice(0, MOST_WORDS).join(" ");
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** What "didn't", "I'm" and "company's" are without their ends. */
const contraction = /n['’]t$|['’](?:s|m|d|re|ve|ll)?$/;

function words(text: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(fold(text))) if (isWordLike) found.push(segment.replace(contraction, ""));
  return found;
}

function stemOf(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(irregular.get(word) ?? word) : word;
}

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase();
