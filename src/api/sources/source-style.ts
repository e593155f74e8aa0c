/** The look of a source page: a sheet of paper with the cited passage marked. */
export const sourceStyle = `
:root { color-scheme: light dark; --paper: #fff; --desk: #f4f2ee; --ink: #1d1c1d; --soft: #616061; --mark: #fff3c4; --edge: #e8a317; }
@media (prefers-color-scheme: dark) { :root { --paper: #222529; --desk: #1a1d21; --ink: #e8e8e8; --soft: #ababad; --mark: #3d3418; --edge: #d9a32b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--desk); color: var(--ink); font: 17px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.5rem; padding-bottom: 1rem; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
header p, footer { color: var(--soft); margin: .35rem 0 0; }
main { background: var(--paper); border-radius: 8px; padding-top: 1.25rem; padding-bottom: 1.5rem; box-shadow: 0 1px 3px rgb(0 0 0 / .12); }
h2 { font-size: .82rem; font-weight: 600; color: var(--soft); margin: 1.4rem 0 .4rem; }
h2:first-child { margin-top: 0; }
p { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .8rem; }
pre { overflow-x: auto; margin: 0 0 .8rem; font-size: .85rem; }
.table { overflow-x: auto; margin: 0 0 .8rem; }
table { border-collapse: collapse; font-size: .9rem; line-height: 1.4; }
th, td { border: 1px solid var(--soft); padding: .25rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.cited { background: var(--mark); border-left: 4px solid var(--edge); border-radius: 4px; padding: .8rem 1rem; }
.cited p:last-child { margin-bottom: 0; }
footer { font-size: .85rem; padding-top: 1rem; padding-bottom: 3rem; }
`;
