import type { JSX } from "preact";

const paths = {
  lock: "M5 7V5a3 3 0 0 1 6 0v2h.5A1.5 1.5 0 0 1 13 8.5v4a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 12.5v-4A1.5 1.5 0 0 1 4.5 7zm1.5 0h3V5a1.5 1.5 0 0 0-3 0z",
  hash: "M6.6 2.5h1.5L7.7 5.5h2.6l.4-3h1.5l-.4 3H14V7h-2.4l-.3 2H13.5v1.5h-2.4l-.4 3H9.2l.4-3H7l-.4 3H5.1l.4-3H3V9h2.7l.3-2H3.7V5.5h2.5zM7.5 7l-.3 2h2.6l.3-2z",
  menu: "M2 3.5h12V5H2zm0 3.8h12v1.5H2zM2 11h12v1.5H2z",
  close: "M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",
  send: "M2 2.3 14.5 8 2 13.7l1-4.6L9 8 3 6.9z",
  thread:
    "M3 2.5h10A1.5 1.5 0 0 1 14.5 4v6a1.5 1.5 0 0 1-1.5 1.5H7.5L4 14.3v-2.8H3A1.5 1.5 0 0 1 1.5 10V4A1.5 1.5 0 0 1 3 2.5zm1.5 3V7h7V5.5zm0 2.5v1.4h5V8z",
  eye: "M8 3.5c3.2 0 5.6 2 6.8 4.5-1.2 2.5-3.6 4.5-6.8 4.5S2.4 10.5 1.2 8C2.4 5.5 4.8 3.5 8 3.5zm0 2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  clip: "M11.8 4.2a2 2 0 0 0-2.8 0L4.4 8.8a3.3 3.3 0 0 0 4.7 4.7l4.4-4.4 1 1-4.4 4.4a4.7 4.7 0 0 1-6.7-6.7L8 3.2a3.4 3.4 0 0 1 4.8 4.8l-4.5 4.5a2 2 0 0 1-2.9-2.9l4.2-4.2 1 1-4.2 4.2a.6.6 0 0 0 .9.9l4.5-4.5a2 2 0 0 0 0-2.8z",
  person: "M8 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 14c.3-3 2.5-4.7 5.5-4.7s5.2 1.7 5.5 4.7z",
} as const;

/** A small picture beside words that say the same; hidden from screen readers. */
export function Icon({ name }: { readonly name: keyof typeof paths }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** Footnote's own mark. */
export function Logo(): JSX.Element {
  return (
    <svg class="avatar logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path d="M8 9h9v3h-5.5v3.2H16v2.9h-4.5V24H8z" />
      <path d="M20.2 9.6 23 7.5h1.6V16h-2.7v-5.2l-1.7 1.1z" />
    </svg>
  );
}
