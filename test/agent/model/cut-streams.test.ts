import { testCuts } from "./cutting.ts";

// The slow twin cuts at every byte.
testCuts(7);
