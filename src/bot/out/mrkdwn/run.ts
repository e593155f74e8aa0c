/** A stretch of text in one style. `text` is what the reader sees, not escaped. */
export interface Run {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  /** An address from the registry of allowed ones, and nothing else. */
  readonly link?: string;
}

/** One line of a message: `prefix` is written as it is (indent, bullet, quote mark), `rest` stands before what is carried to a next message. */
export interface Line {
  readonly prefix: string;
  readonly rest: string;
  readonly runs: readonly Run[];
}

/** A table as such, for messages that show tables. Rows of cells of runs; the first row is the header. */
export interface TableCells {
  readonly rows: readonly (readonly (readonly Run[])[])[];
  readonly align: readonly ("left" | "right" | "center")[];
}

/** A piece of a message that is kept together when possible. `gap` asks for a blank line before it. */
export type Part =
  | {
      readonly kind: "text";
      readonly gap: boolean;
      readonly lines: readonly Line[];
      readonly heading?: boolean;
      readonly table?: TablePlace;
    }
  /** A fence. `head` (a table's header) is repeated when the fence is continued. */
  | {
      readonly kind: "code";
      readonly gap: boolean;
      readonly lines: readonly string[];
      readonly head: readonly string[];
      readonly table?: TablePlace;
    };

/** Of a table's text form: the table itself on its first part, and a note on those that belong to it too. */
export type TablePlace = TableCells | "continued";

export type Style = Pick<Run, "bold" | "italic" | "strike">;
