import { useCallback, useEffect, useState } from "preact/hooks";
import { formatPlace, type Place, parsePlace } from "./place.ts";

/** The place in the address, and a way to go to another one. The browser's back button works. */
export function usePlace(): readonly [Partial<Place>, (place: Place) => void] {
  const [wanted, setWanted] = useState(() => parsePlace(location.search));
  useEffect(() => {
    const follow = () => setWanted(parsePlace(location.search));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const go = useCallback((place: Place) => {
    if (formatPlace(place) !== location.search) history.pushState(null, "", formatPlace(place));
    setWanted(place);
  }, []);
  return [wanted, go];
}
