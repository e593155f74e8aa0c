import { mayNotChange } from "../../../permissions/toggles.ts";
import type { Clicked } from "../desk.ts";

/** Characters of a template's name. */
const longestName = 40;

/** Whether somebody may make and change assistants: an admin, or who holds the app role for it. */
export const editsTemplates = ({ person }: Pick<Clicked, "person">): boolean => mayNotChange("template", person) === undefined;

/** The name of the template that was clicked; it came with the click and proves nothing. */
export const clickedName = ({ click }: Pick<Clicked, "click">): string => click.value.slice(0, longestName);
