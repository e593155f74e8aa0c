import { z } from "zod";

/** Which page of which list is shown, 0-based. */
export interface HomeState {
  readonly recent: number;
  readonly channels: number;
  readonly documents: number;
  readonly sources: number;
  readonly worst: number;
  readonly roles: number;
}

export type HomeList = keyof HomeState;

export const firstPages: HomeState = { recent: 0, channels: 0, documents: 0, sources: 0, worst: 0, roles: 0 };

/** Rows of one list a page: six lists together stay far below the 100 blocks that Slack takes. */
export const rowsPerPage = 5;

const page = z.int().min(0).max(1_000).catch(0);
const state = z.object({ recent: page, channels: page, documents: page, sources: page, worst: page, roles: page });

/** What a Home carries, whatever has become of it. It says nothing but what is looked at. */
export function readHomeState(metadata: string): HomeState {
  try {
    return state.parse(JSON.parse(metadata));
  } catch {
    return firstPages;
  }
}

/** The state after a click on one of the buttons between pages, "<list> <page>". */
export function turned(before: HomeState, value: string): HomeState {
  const [, list = "", to = ""] = /^(recent|channels|documents|sources|worst|roles) (\d{1,3})$/.exec(value) ?? [];
  return list ? { ...before, [list]: Number(to) } : before;
}
