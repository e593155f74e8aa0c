import { readFile } from "node:fs/promises";

/** What a process and all that it has started take. */
export interface Taken {
  readonly processes: number;
  /** Memory of their own, in bytes. */
  readonly memory: number;
}

/** Bytes of one page of memory on the systems we run on. */
const PAGE = 4_096;
/**
 * Looks at a process and its descendants; undefined where the system does not tell (other than Linux).
 * @param most more processes than this are not looked at one by one: a flood must be noticed while it is small
 */
export async function takenBy(pid: number, most: number): Promise<Taken | undefined> {
  let memory = 0;
  const seen = new Set<number>();
  let level = [pid];
  while (level.length > 0 && seen.size + level.length <= most) {
    for (const one of level) seen.add(one);
    const looked = await Promise.all(level.map(look));
    if (seen.size === 1 && !looked[0]) return undefined;
    memory += looked.reduce((sum, each) => sum + (each?.memory ?? 0), 0);
    level = looked.flatMap((each) => each?.children ?? []).filter((child) => !seen.has(child));
  }
  return { processes: seen.size + level.length, memory };
}

async function look(pid: number): Promise<{ readonly children: readonly number[]; readonly memory: number } | undefined> {
  try {
    const [children, size] = await Promise.all([
      readFile(`/proc/${pid}/task/${pid}/children`, "utf8"),
      readFile(`/proc/${pid}/statm`, "utf8"),
    ]);
    const [, resident = 0, shared = 0] = size.split(" ").map(Number);
    return { children: children.split(" ").filter(Boolean).map(Number), memory: Math.max(0, resident - shared) * PAGE };
  } catch {
    return undefined;
  }
}
