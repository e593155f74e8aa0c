import { AppError } from "../../../../core/errors.ts";

/** The refusal of a document that opens only with a password. */
export const locked = (): AppError =>
  new AppError("DOCUMENT_UNREADABLE", "It is protected by a password. Save it without one and add it again.");
