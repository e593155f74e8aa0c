import { pino } from "pino";

/**
 * What may be logged beside the sentence: ids, counts, durations and codes. There is deliberately no field for message text,
 * document text, arguments or error objects of other libraries (they carry headers and bodies).
 */
export interface LogFields {
  readonly tenant?: string;
  readonly turn?: string;
  readonly trace?: string;
  readonly tool?: string;
  readonly plugin?: string;
  readonly method?: string;
  readonly code?: string;
  readonly status?: string | number;
  readonly ms?: number;
  readonly count?: number;
  readonly attempt?: number;
  readonly url?: string;
  readonly path?: string;
  readonly step?: number;
  readonly pid?: number;
  readonly version?: string;
  /** Places in the code (stack frames without the error's message). */
  readonly at?: string;
}

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger with some fields always added. */
  with(fields: LogFields): Logger;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** Writes JSON lines to standard error, so that standard output stays free for answers. */
export function createLogger(level: LogLevel): Logger {
  return wrap(pino({ level, base: null }, pino.destination({ dest: 2, sync: true })));
}

export const silentLogger: Logger = wrap(pino({ level: "silent" }));

function wrap(inner: ReturnType<typeof pino>): Logger {
  return {
    debug: (message, fields) => inner.debug(fields ?? {}, message),
    info: (message, fields) => inner.info(fields ?? {}, message),
    warn: (message, fields) => inner.warn(fields ?? {}, message),
    error: (message, fields) => inner.error(fields ?? {}, message),
    with: (fields) => wrap(inner.child(fields)),
  };
}
