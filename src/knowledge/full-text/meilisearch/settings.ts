import type { Settings } from "meilisearch";

/**
 * How an index is set up, as numbered changes: each is applied once, in order, and never edited after it landed; an index that has seen the first
 * three gets the fourth. Their sum is what reconciliation compares the server's settings with.
 */
export const settingsMigrations: readonly Settings[] = [
  {
    searchableAttributes: ["title", "heading", "text"],
    filterableAttributes: ["grants", "document", "revision"],
    sortableAttributes: [],
    // Texts never leave by a search: what is shown comes from the database.
    displayedAttributes: ["id", "document", "revision"],
    rankingRules: ["words", "typo", "proximity", "attribute", "exactness"],
    // Questions are whole words; "car" is not the beginning of "carpet".
    prefixSearch: "disabled",
    facetSearch: false,
    typoTolerance: { enabled: true, disableOnNumbers: true },
  },
];

/** Every setting as the last migration that has it left it. */
export const settingsNow: Settings = Object.assign({}, ...settingsMigrations);
