import type { ShownSource } from "./reading.ts";
import { type Unit, units } from "./units.ts";
import { holds, stems, type Term, terms } from "./words.ts";

/** A sentence chosen for the answer. */
export interface Quote {
  readonly n: number;
  readonly text: string;
  readonly kind: Unit["kind"];
}

/** How sure we are that the documents hold the answer. */
export type Verdict = "held" | "near" | "absent";

const MOST_QUOTES = 5;
const MOST_CHARS = 1_100;
/** A further sentence must score at least this share of the best one; one of another passage, or another row of a table, more. */
const SHARE_OF_BEST = 0.62;
const SHARE_WHEN_PRECISE = 0.75;
const SHARE_ELSEWHERE = 0.86;
const SHARE_OF_ROWS = 0.88;
/** Two sentences that share more of their words than this say the same. */
const SAME = 0.6;

/** How much of a match counts when the word is not in the sentence itself but around it. */
const IN_HEADING = 0.7;
const IN_TITLE = 0.5;
const NEARBY = 0.35;
/** What a passage gains whose heading and title name all that is asked. */
const ON_TOPIC = 0.3;

/** Below the first a passage speaks of something else; between the two the answer says that it is only the closest. */
const ABSENT_BELOW = 0.52;
const HELD_FROM = 0.6;
/** How far the search's own opinion moves these lines. */
const TRUST_IN_SEARCH = 0.25;
/** A best hit below this relevance may well be about something else, says the search: nothing is certain then. */
const CONFIDENT = 0.55;
/** From this relevance on a passage is shown as the closest although it has other words than the question; noise was seen up to 0.57. */
const CLOSE_BY_MEANING = 0.6;

/** What a sentence gains for each pair of neighbouring words it shares with the question. */
const PAIR = 0.12;

/** What is left of a passage's coverage when it lacks a name of the question, or has nothing but the name. */
const BESIDE = 0.45;

interface Candidate {
  readonly source: ShownSource;
  readonly at: number;
  readonly unit: Unit;
  readonly stems: ReadonlySet<string>;
  /** The stems in order, between blanks, to find pairs of words. */
  readonly line: string;
  score: number;
}

interface Weighted extends Term {
  readonly idf: number;
}

/** Chooses the sentences that answer a question best, at most five, in reading order, best source first. */
export function choose(query: string, sources: readonly ShownSource[]): { readonly verdict: Verdict; readonly quotes: readonly Quote[] } {
  const candidates = sources.flatMap(candidatesOf);
  const wanted = weigh(terms(query), candidates);
  if (candidates.length === 0 || wanted.length === 0) return { verdict: "absent", quotes: [] };

  const coverage = new Map(sources.map((source) => [source.n, passageCoverage(source, wanted)]));
  const best = Math.max(...sources.map((source) => (coverage.get(source.n) ?? 0) + TRUST_IN_SEARCH * (source.relevance - 0.5)));
  const close = sources.filter((source) => source.relevance >= CLOSE_BY_MEANING && !isBeside(allStems(source), wanted));
  if (best < ABSENT_BELOW && close.length === 0) return { verdict: "absent", quotes: [] };

  for (const candidate of candidates) {
    const { source } = candidate;
    candidate.score = sentenceScore(candidate, wanted, query) + 0.25 * (coverage.get(source.n) ?? 0) + 0.15 * source.relevance;
  }
  const verdict = best >= HELD_FROM && sources.some(({ relevance }) => relevance >= CONFIDENT) ? "held" : "near";
  const eligible = best < ABSENT_BELOW ? candidates.filter(({ source }) => close.includes(source)) : candidates;
  return { verdict, quotes: pick(eligible, precise.test(query)) };
}

function candidatesOf(source: ShownSource): Candidate[] {
  return units(source.passage).map((unit, at) => {
    const inOrder = stems(unit.text);
    return { source, at, unit, stems: new Set(inOrder), line: ` ${inOrder.join(" ")} `, score: 0 };
  });
}

/** A word that few sentences have decides more than one that many have. */
function weigh(question: readonly Term[], candidates: readonly Candidate[]): readonly Weighted[] {
  return question.map((term) => {
    const having = candidates.filter(({ stems }) => holds(stems, term.stem) > 0).length;
    // A light word that is missing must not weigh more for being rare.
    const rarity = term.weight < 1 ? 1 : candidates.length / Math.max(1, having);
    return { ...term, idf: term.weight * Math.log(1 + rarity) };
  });
}

const total = (wanted: readonly Weighted[]): number => wanted.reduce((sum, { idf }) => sum + idf, 0);

function passageCoverage(source: ShownSource, wanted: readonly Weighted[]): number {
  const all = allStems(source);
  const covered = wanted.reduce((sum, { stem, idf }) => sum + idf * holds(all, stem), 0) / total(wanted);
  return isBeside(all, wanted) ? covered * BESIDE : covered;
}

const allStems = ({ passage, heading, title }: ShownSource): ReadonlySet<string> => new Set(stems(`${passage}\n${heading}\n${title}`));

/** Alice's project is no answer to Alice's salary, nor is Bob's salary. */
function isBeside(all: ReadonlySet<string>, wanted: readonly Weighted[]): boolean {
  const has = (named: boolean) =>
    wanted.filter(({ name, weight }) => name === named && weight >= 1).map(({ stem }) => holds(all, stem) > 0);
  const [names, others] = [has(true), has(false)];
  return names.includes(false) || (names.length > 0 && others.length > 0 && !others.includes(true));
}

function sentenceScore({ source, stems: own, line, unit }: Candidate, wanted: readonly Weighted[], query: string): number {
  const heading = new Set(stems(source.heading));
  const title = new Set(stems(source.title));
  const passage = new Set(stems(source.passage));
  let score = 0;
  let direct = 0;
  let topic = 0;
  for (const { stem, idf } of wanted) {
    const here = holds(own, stem);
    const inHeading = holds(heading, stem);
    const inTitle = holds(title, stem);
    direct += here;
    topic += idf * Math.max(inHeading, inTitle);
    score += idf * Math.max(here, IN_HEADING * inHeading, IN_TITLE * inTitle, NEARBY * holds(passage, stem));
  }
  score = (score + ON_TOPIC * topic) / total(wanted);
  if (direct === 0) score *= 0.8;
  if (own.size < 3) score *= 0.7;
  return score + PAIR * pairsIn(query, line) + hint(query, unit.text);
}

/** How many neighbours in the question ("first day") are neighbours in the sentence too. */
function pairsIn(query: string, line: string): number {
  const asked = stems(query);
  return asked.filter((stem, at) => at > 0 && line.includes(` ${asked[at - 1]} ${stem} `)).length;
}

/** What kind of thing is asked for, and whether the sentence has one. */
function hint(query: string, text: string): number {
  let bonus = 0;
  const amount =
    /\b(how (?:many|much|long|often|far|high|old|soon|late|early|fast|quickly)|what time|cost|price|limit|number|rate|extension|deadline|until|wie ?viele?|combien|cuánt[oa]s?)\b/i;
  if (
    amount.test(query) &&
    /\p{N}|\b(one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half|daily|weekly|monthly|yearly)\b/iu.test(text)
  )
    bonus += 0.18;
  if (/\b(when|which day|what day|date)\b/i.test(query) && times.test(text)) bonus += 0.18;
  if (
    /\b(who|whom|whose|wer)\b/i.test(query) &&
    /(?<=[\p{Ll},;] )\p{Lu}\p{Ll}+|@|\b(officer|director|manager|lead|team|operations)\b/u.test(text)
  )
    bonus += 0.1;
  if (/\bwhere\b/i.test(query) && /\b(in|at|on) (?:the )?\p{Lu}|https?:|\bat \S+@/u.test(text)) bonus += 0.1;
  if (
    /^(can|may|must|should|is|are|do|does|am)\b/i.test(query) &&
    /\b(may|must|can|cannot|not|never|always|need|needs|allowed|only|possible|required)\b/i.test(text)
  )
    bonus += 0.06;
  return bonus;
}

const times =
  /\p{N}|\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|daily|weekly|monthly|quarterly|yearly|morning|afternoon|noon|evening|within|before|after|every)\b/iu;

/** A question that one fact answers. */
const precise = /\b(how (?!do|to|does|can|should)\w+|when|who|whom|where|which)\b/i;

/** The best ones that add something, then with what they refer to, in reading order. */
function pick(candidates: readonly Candidate[], oneFact: boolean): readonly Quote[] {
  const ranked = [...candidates].sort((a, b) => b.score - a.score || a.source.n - b.source.n || a.at - b.at);
  const best = ranked[0]?.score ?? 0;
  const chosen: Candidate[] = [];
  let chars = 0;
  for (const candidate of ranked) {
    if (chosen.length >= MOST_QUOTES || candidate.score < best * SHARE_OF_BEST) break;
    if (candidate.score < best * shareFor(candidate, ranked[0], oneFact)) continue;
    if (chosen.some((other) => alike(other, candidate))) continue;
    const length = candidate.unit.text.length;
    if (chosen.length > 0 && chars + length > MOST_CHARS) continue;
    chosen.push(candidate);
    chars += length;
  }
  const sourceOrder = [...new Set(chosen.map(({ source }) => source.n))];
  return withAntecedents(chosen, candidates)
    .sort((a, b) => sourceOrder.indexOf(a.source.n) - sourceOrder.indexOf(b.source.n) || a.at - b.at)
    .slice(0, MOST_QUOTES)
    .map(({ source, unit }) => ({ n: source.n, text: unit.text, kind: unit.kind }));
}

function shareFor({ source, unit }: Candidate, first: Candidate | undefined, oneFact: boolean): number {
  if (unit.kind === "row" && first?.unit.kind === "row") return SHARE_OF_ROWS;
  if (source.n !== first?.source.n) return SHARE_ELSEWHERE;
  return oneFact ? SHARE_WHEN_PRECISE : SHARE_OF_BEST;
}

function alike(a: Candidate, b: Candidate): boolean {
  if (a.unit.text === b.unit.text) return true;
  // Rows of one table look alike and differ in what matters.
  if (a.unit.kind === "row" || b.unit.kind === "row") return false;
  const shared = [...a.stems].filter((stem) => b.stems.has(stem)).length;
  return shared / Math.max(1, Math.min(a.stems.size, b.stems.size)) > SAME && shared / Math.max(a.stems.size, b.stems.size) > SAME / 1.5;
}

const refersBack = /^(it|they|this|these|that|those|he|she|otherwise|however|then|after that|in that case|both|also|the same|its|their)\b/i;

/** "It is paid in March" says nothing without the sentence before it. */
function withAntecedents(chosen: readonly Candidate[], all: readonly Candidate[]): Candidate[] {
  const kept = new Set(chosen);
  for (const { source, at, unit } of chosen) {
    if (!refersBack.test(unit.text)) continue;
    const before = all.find((other) => other.source.n === source.n && other.at === at - 1);
    if (before) kept.add(before);
  }
  return [...kept];
}
