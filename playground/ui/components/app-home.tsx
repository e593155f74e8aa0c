import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { readBlocks } from "../block-kit.ts";
import { ElementUseContext } from "../element-use.ts";
import { actOnScreen, type View } from "../page-api.ts";
import { useSession } from "../session.ts";
import { useScreen, useView } from "../use-screen.ts";
import { Blocks } from "./blocks.tsx";

/** The Home tab of the bot's conversation. Opening it tells the bot, which then publishes what stands here. */
export function AppHome(): JSX.Element {
  const session = useSession();
  const { viewer } = session;
  const view = useScreen(session)?.home;
  useEffect(() => {
    void actOnScreen(viewer, "open-home").catch(() => undefined);
  }, [viewer.workspace, viewer.as]);
  return <div class="scroll">{view ? <HomeView view={view} /> : <p class="loading">Footnote has not filled its Home yet.</p>}</div>;
}

function HomeView({ view }: { readonly view: View }): JSX.Element {
  const elements = useView(useSession(), view, "home");
  return (
    <section class="home body" aria-label="Footnote's Home">
      <ElementUseContext.Provider value={elements}>
        <Blocks drawables={readBlocks(view.blocks)} />
      </ElementUseContext.Provider>
    </section>
  );
}
