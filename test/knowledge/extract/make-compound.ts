const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;

export interface CompoundOptions {
  /** Sector that follows another one, in place of what is right: for chains that never end. */
  readonly next?: Readonly<Record<number, number>>;
}

interface Node {
  readonly name: string;
  readonly content?: Uint8Array;
  readonly children: Node[];
}

/** A compound file of these streams by path ("Folder/Name"): sector 0 is the table, then the directory, then the streams one after the other. */
export function makeCompound(streams: Readonly<Record<string, Uint8Array>>, { next = {} }: CompoundOptions = {}): Buffer {
  const root: Node = { name: "Root Entry", children: [] };
  for (const [path, content] of Object.entries(streams)) {
    let folder = root;
    const steps = path.split("/");
    for (const step of steps.slice(0, -1)) {
      const known = folder.children.find(({ name }) => name === step) ?? { name: step, children: [] };
      if (!folder.children.includes(known)) folder.children.push(known);
      folder = known;
    }
    folder.children.push({ name: steps.at(-1) ?? "", content, children: [] });
  }
  const nodes: Node[] = [];
  const collect = (node: Node): void => {
    nodes.push(node);
    node.children.forEach(collect);
  };
  collect(root);
  const directorySectors = Math.ceil((nodes.length * 128) / SECTOR);
  const table: number[] = [0xfffffffd];
  const chain = (count: number): number => {
    const start = table.length;
    for (let index = 0; index < count; index++) table.push(index === count - 1 ? END : table.length + 1);
    return count === 0 ? END : start;
  };
  chain(directorySectors);
  const starts = new Map(nodes.map((node) => [node, chain(Math.ceil((node.content?.length ?? 0) / SECTOR))]));
  if (table.length > SECTOR / 4) throw new Error("Too large for one sector of table.");
  for (const [from, to] of Object.entries(next)) table[Number(from)] = to;

  const header = Buffer.alloc(SECTOR);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(header);
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48);
  // Every stream, however small, lies in sectors of full size.
  header.writeUInt32LE(0, 56);
  header.writeUInt32LE(END, 60);
  header.writeUInt32LE(END, 68);
  header.writeUInt32LE(0, 76);
  for (let at = 80; at < SECTOR; at += 4) header.writeUInt32LE(FREE, at);

  const fat = Buffer.alloc(SECTOR, 0xff);
  for (const [index, value] of table.entries()) fat.writeUInt32LE(value, index * 4);
  const directory = Buffer.alloc(directorySectors * SECTOR);
  nodes.forEach((node, index) => {
    const at = index * 128;
    const length = directory.write(node.name, at, 62, "utf16le");
    directory.writeUInt16LE(length + 2, at + 64);
    directory.writeUInt8(index === 0 ? 5 : node.content ? 2 : 1, at + 66);
    const parent = nodes.find(({ children }) => children.includes(node));
    const sibling = parent?.children[parent.children.indexOf(node) + 1];
    directory.writeUInt32LE(FREE, at + 68);
    directory.writeUInt32LE(sibling ? nodes.indexOf(sibling) : FREE, at + 72);
    directory.writeUInt32LE(node.children[0] ? nodes.indexOf(node.children[0]) : FREE, at + 76);
    directory.writeUInt32LE(index === 0 ? END : (starts.get(node) ?? END), at + 116);
    directory.writeUInt32LE(node.content?.length ?? 0, at + 120);
  });
  const contents = nodes.flatMap(({ content }) =>
    content ? [Buffer.concat([content, Buffer.alloc((SECTOR - (content.length % SECTOR)) % SECTOR)])] : [],
  );
  return Buffer.concat([header, fat, directory, ...contents]);
}

/** The streams of an Outlook message with these properties, by their numbers. */
export const messageStreams = (properties: Readonly<Record<string, string | Uint8Array>>, folder = ""): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries(properties).map(([number, value]) =>
      typeof value === "string"
        ? [`${folder}__substg1.0_${number}001F`, Buffer.from(value, "utf16le")]
        : [`${folder}__substg1.0_${number}0102`, value],
    ),
  );
