const SECRET = "[secret]";

/** Names of fields and of address parameters whose value is a secret, whatever it looks like. */
const secretName =
  /^(?:x-)?(?:api[-_]?key|key|auth(?:orization)?|(?:access|refresh|bot|app|id)?[-_]?token|secret|client[-_]?secret|pass(?:word|wd)?|cookie|signature|sig)$/i;

/** Secrets within a text. Words that only speak of secrets ("the password policy") stay: somebody may have asked about them. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(?:xox[a-z]?|xapp|sk|pk|rk|gh[pousr]|github_pat|glpat|AKIA|eyJ)[-_A-Za-z0-9.]{10,}/g, SECRET],
  [/(\bauthorization\s*:\s*\w+\s+)\S+/gi, `$1${SECRET}`],
  [/\b(bearer\s+)(?=\S*\d)[^\s,;)"']{6,}/gi, `$1${SECRET}`],
  [/([?&](?:api[-_]?key|key|(?:access|refresh)?[-_]?token|secret|password|sig|signature)=)[^&#\s"']+/gi, `$1${SECRET}`],
  [/\b(token|api[-_ ]?key|password|secret)(\s*[:=]\s*)[^\s,;)&[\]"']{4,}/gi, `$1$2${SECRET}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+:[^\s/@]+@/gi, `$1${SECRET}@`],
];

/** A copy of a tool call's arguments that may be kept: without keys, passwords and tokens. The tool itself gets the real ones. */
export function redacted(value: unknown): unknown {
  if (typeof value === "string") return shapes.reduce((text, [shape, stand]) => text.replace(shape, stand), value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, secretName.test(name) ? SECRET : redacted(inner)]));
}
