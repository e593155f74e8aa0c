import { child, descendants, elements, textOf, type XmlElement } from "../containers/xml.ts";
import { tableMarkdown } from "../table-text.ts";

/** Points of one series that are shown. */
const MOST_POINTS = 500;

/** A chart of an Office file as its title and the table of its values; undefined for one that shows none. */
export function chartText(chartSpace: XmlElement | undefined): { readonly title: string; readonly table?: string } | undefined {
  const chart = child(chartSpace, "chart");
  const title = [...descendants(child(chart, "title"), "t", "v")].map(textOf).join("").trim();
  const series = [...descendants(child(chart, "plotArea"), "ser")].map((each) => ({
    name: pointsOf(child(each, "tx")).join(" "),
    labels: pointsOf(child(each, "cat") ?? child(each, "xVal")),
    values: pointsOf(child(each, "val") ?? child(each, "yVal")),
  }));
  const labels = series.reduce<readonly string[]>((most, each) => (each.labels.length > most.length ? each.labels : most), []);
  const length = Math.min(MOST_POINTS, Math.max(0, ...series.map((each) => each.values.length)));
  if (length === 0) return title === "" ? undefined : { title };
  const rows = Array.from({ length }, (_, at) => [labels[at] ?? "", ...series.map((each) => each.values[at] ?? "")]);
  const table = tableMarkdown([["", ...series.map((each) => each.name)], ...rows]);
  return table === undefined ? undefined : { title, table };
}

/** What the program last drew, kept with the reference to the cells. */
function pointsOf(holder: XmlElement | undefined): string[] {
  const points: string[] = [];
  for (const point of descendants(holder, "pt")) {
    const at = Number(point.attributes.get("idx"));
    if (Number.isInteger(at) && at >= 0 && at < MOST_POINTS) points[at] = textOf(child(point, "v")).trim();
  }
  if (points.length === 0) return elements(holder, "v").map(textOf);
  return Array.from(points, (each) => each ?? "");
}
