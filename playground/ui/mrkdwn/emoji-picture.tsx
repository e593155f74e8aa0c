import type { JSX } from "preact";

const thumb = "M5.5 7 7.8 2.3c1 0 1.7.9 1.5 1.9L8.9 6.4h3.8c.8 0 1.3.7 1.1 1.4l-1 4.2c-.2.6-.7 1-1.3 1H5.5zM2.3 7h3.2v6H2.3z";

/** The signs that answers use most, drawn here because not every computer has a font with coloured emoji. */
const drawings: Readonly<Record<string, JSX.Element>> = {
  white_check_mark: stroke("ok", "M3.5 8.5 6.7 11.5 12.5 4.8"),
  heavy_check_mark: stroke("ok", "M3.5 8.5 6.7 11.5 12.5 4.8"),
  x: stroke("bad", "M4 4 12 12M12 4 4 12"),
  warning: stroke("warn", "M8 2.5 14.2 13.3H1.8zM8 6.5V9.5M8 11.3V11.7"),
  mag: stroke("plain", "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14"),
  mag_right: stroke("plain", "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14"),
  hourglass_flowing_sand: stroke("plain", "M4 2H12M4 14H12M5 2C5 6 11 10 11 14M11 2C11 6 5 10 5 14"),
  hourglass: stroke("plain", "M4 2H12M4 14H12M5 2C5 6 11 10 11 14M11 2C11 6 5 10 5 14"),
  lock: stroke("plain", "M3.5 7.5H12.5V13.5H3.5zM5.5 7.5V5a2.5 2.5 0 0 1 5 0V7.5"),
  information_source: stroke("plain", "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.3V11.3M8 4.7V5"),
  page_facing_up: stroke("plain", "M4 2H9.5L12.5 5V14H4zM9.5 2V5H12.5M6 8H10.5M6 11H10.5"),
  stopwatch: stroke("plain", "M8 3.5a5.3 5.3 0 1 1 0 10.6A5.3 5.3 0 0 1 8 3.5zM6.5 1.5H9.5M8 6V9"),
  octagonal_sign: stroke("bad", "M5.5 2H10.5L14 5.5V10.5L10.5 14H5.5L2 10.5V5.5zM5 8H11"),
  no_entry: stroke("bad", "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM4.5 8H11.5"),
  large_green_circle: stroke("ok", "M8 4a4 4 0 1 1 0 8A4 4 0 0 1 8 4zM8 6a2 2 0 1 1 0 4A2 2 0 0 1 8 6zM8 7.9V8.1"),
  white_circle: stroke("plain", "M8 4a4 4 0 1 1 0 8A4 4 0 0 1 8 4z"),
  thumbsup: stroke("plain", thumb),
  thumbsdown: stroke("plain", thumb, "rotate(180 8 8)"),
  no_entry_sign: stroke("bad", "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM4 12 12 4"),
};

function stroke(tone: "ok" | "bad" | "warn" | "plain", path: string, transform?: string): JSX.Element {
  return (
    <svg class="emoji" data-tone={tone} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={path} transform={transform} />
    </svg>
  );
}

/** One emoji: a drawing where there is one, else the character. */
export function Emoji({ name, character }: { readonly name: string; readonly character: string }): JSX.Element {
  return (
    <span role="img" aria-label={name.replaceAll("_", " ")}>
      {Object.hasOwn(drawings, name) ? drawings[name] : character}
    </span>
  );
}
