import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { getWorkspaces, type Workspace } from "../page-api.ts";
import { type Place, settlePlace } from "../place.ts";
import { usePlace } from "../use-place.ts";
import { WorkspaceView } from "./workspace-view.tsx";

/** Milliseconds between attempts to reach a playground that does not answer. */
const retryMs = 2000;

/** The whole page: loads the workspaces, then shows the place that the address names. */
export function App(): JSX.Element {
  const [workspaces, setWorkspaces] = useState<readonly Workspace[]>([]);
  const [problem, setProblem] = useState<string>();
  const [wanted, go] = usePlace();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const load = () =>
      getWorkspaces().then(setWorkspaces, (failure: Error) => {
        setProblem(failure.message);
        timer = setTimeout(load, retryMs);
      });
    void load();
    return () => clearTimeout(timer);
  }, []);

  const place = settlePlace(wanted, workspaces);
  if (!place) return <p class="loading">{problem ?? "Opening the playground…"}</p>;
  const goFrom = (change: Partial<Place>) => {
    const next = settlePlace({ ...place, ...change }, workspaces);
    if (next) go(next);
  };
  return <WorkspaceView key={`${place.workspace}/${place.as}`} workspaces={workspaces} place={place} go={goFrom} replace={go} />;
}
