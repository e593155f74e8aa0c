import { testCuts } from "./cutting.ts";

testCuts(1);
