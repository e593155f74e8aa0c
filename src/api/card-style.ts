/** The look of the pages around an installation and a log-in: one card in the middle of a quiet page. */
export const cardStyle = `
:root { color-scheme: light dark; --card: #fff; --desk: #f4f2ee; --ink: #1d1c1d; --soft: #616061; --line: #e4e1da; --accent: #1d3557; --on: #fff; --mark: #fff3c4; --edge: #e8a317; }
@media (prefers-color-scheme: dark) { :root { --card: #222529; --desk: #1a1d21; --ink: #e8e8e8; --soft: #ababad; --line: #3a3d42; --accent: #8fb4e8; --on: #14202f; --mark: #3d3418; --edge: #d9a32b; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1rem; background: var(--desk); color: var(--ink); font: 17px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { width: 100%; max-width: 36rem; background: var(--card); border-radius: 12px; padding: 2.25rem 2.25rem 1.75rem; box-shadow: 0 1px 3px rgb(0 0 0 / .12); }
.brand { margin: 0 0 1.25rem; font-size: .9rem; font-weight: 600; color: var(--soft); }
.brand sup { color: var(--edge); font-weight: 700; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
p { margin: 0 0 .8rem; overflow-wrap: anywhere; }
ol, ul { margin: 0 0 .8rem; padding-left: 1.3rem; }
li { margin: .35rem 0; overflow-wrap: anywhere; }
code { font: .88em ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--desk); padding: .1rem .3rem; border-radius: 4px; }
.gaps { background: var(--mark); border-left: 4px solid var(--edge); border-radius: 4px; padding: .9rem 1.1rem; margin: 1.25rem 0; }
.gaps h2 { margin-top: 0; }
.gaps p:last-child, .gaps ul:last-child { margin-bottom: 0; }
.gaps code { background: none; padding: 0; }
.go { display: inline-block; margin: 1rem 0 .4rem; padding: .6rem 1.2rem; border-radius: 6px; background: var(--accent); color: var(--on); font-weight: 600; text-decoration: none; border: 0; font-family: inherit; font-size: inherit; cursor: pointer; }
.go:focus-visible { outline: 3px solid var(--edge); outline-offset: 2px; }
.small { margin: 1.4rem 0 0; padding-top: .9rem; border-top: 1px solid var(--line); font-size: .85rem; color: var(--soft); }
@media (max-width: 30rem) { main { padding: 1.5rem 1.25rem 1.25rem; } }
`;
