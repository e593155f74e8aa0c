/** English words too common to tell one passage from another, question words among them. Written as `terms` folds them. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about after all also am an and any are aren't as at be because been being but by can can't could did didn't do does doesn't doing don't
   for from had has have having he her hers him his how i i'm if in into is isn't it it's its just let's me more most my no nor not of on
   or our ours please she should so some such than that that's the their theirs them then there there's these they this those through to too
   us very was wasn't we were what what's when where which while who whom whose why will with won't would you your yours`
    .split(/\s+/)
    .flatMap((word) => [word, word.replace("'", "’")]),
);
