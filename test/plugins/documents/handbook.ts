import type { Principal } from "../../../src/core/principal.ts";
import { MemoryLibrary, type SampleDocument } from "../../fakes/memory-library.ts";
import { acme, globex } from "../../fakes/tool-context.ts";

const sample = (title: string, grant: Principal, ...pages: string[]): SampleDocument => ({ title, grants: [grant], pages });

/** Two workspaces with documents of the same names, for everybody, one channel, one person. */
export const handbook = (): MemoryLibrary =>
  new MemoryLibrary()
    .add(
      acme,
      sample("Leave", "everyone", "Parental leave lasts 26 weeks.", "Holiday leave is 30 days.", "Sick leave needs a note."),
      sample("Board minutes", "channel:C_BOARD", "The merger leave is secret."),
      sample("Bob's review", "person:U_BOB", "Bob may take leave in May."),
    )
    .add(globex, sample("Leave", "everyone", "Parental leave lasts 99 weeks."), sample("Globex only", "everyone", "ZEBRA leave."));
