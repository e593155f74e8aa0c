import questions from "../seed/questions.json";
import type { Place } from "./place.ts";

/** Questions worth trying in a place: those of the seed, which tests ask too. */
export function suggestionsFor(place: Place): readonly string[] {
  const here = questions.filter(
    (question) => question.suggest && question.workspace === place.workspace && question.channel === place.channel,
  );
  const own = here.filter((question) => question.channel !== "direct" || question.as === place.as);
  return [...new Set(own.map(({ question }) => question))];
}
