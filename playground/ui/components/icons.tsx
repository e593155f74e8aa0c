import type { JSX } from "preact";

const paths = {
  lock: "M5 7V5a3 3 0 0 1 6 0v2h.5A1.5 1.5 0 0 1 13 8.500v4a1.5 1.5 0 0 1-1.5 1.500h-7A1.5 1.5 0 0 1 3 12.500v-4A1.5 1.5 0 0 1 4.5 7zm1.5 0h3V5a1.5 1.5 0 0 0-3 0z",
  hash: "M6.6 2.500h1.500L7.7 5.500h2.600l.4-3h1.500l-.4 3H14V7h-2.400l-.3 2H13.500v1.500h-2.400l-.4 3H9.200l.4-3H7l-.4 3H5.100l.4-3H3V9h2.700l.3-2H3.700V5.500h2.500zM7.5 7l-.3 2h2.600l.3-2z",
  menu: "M2 3.500h12V5H2zm0 3.800h12v1.500H2zM2 11h12v1.500H2z",
  close: "M3.6 2.5 8 6.900l4.4-4.4 1.1 1.100L9.1 8l4.4 4.4-1.1 1.100L8 9.100l-4.4 4.4-1.1-1.100L6.9 8 2.5 3.600z",
  send: "M2 2.3 14.5 8 2 13.700l1-4.600L9 8 3 6.900z",
  thread:
    "M3 2.500h10A1.5 1.5 0 0 1 14.5 4v6a1.5 1.5 0 0 1-1.5 1.500H7.500L4 14.300v-2.800H3A1.5 1.5 0 0 1 1.5 10V4A1.5 1.5 0 0 1 3 2.500zm1.5 3V7h7V5.500zm0 2.500v1.400h5V8z",
  eye: "M8 3.500c3.2 0 5.6 2 6.8 4.5-1.2 2.5-3.6 4.5-6.8 4.500S2.4 10.5 1.2 8C2.4 5.5 4.8 3.5 8 3.500zm0 2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  person: "M8 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 14c.3-3 2.5-4.7 5.5-4.700s5.2 1.7 5.5 4.700z",
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
      <path d="M8 9h9v3h-5.500v3.200H16v2.900h-4.500V24H8z" />
      <path d="M20.2 9.6 23 7.500h1.600V16h-2.700v-5.200l-1.7 1.100z" />
    </svg>
  );
}
