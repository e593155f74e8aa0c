import { BadCall, type ToolHost } from "../../agent/tools/hosted-tools.ts";
import type { PersonRequest } from "../../agent/tools/person-calls.ts";
import { AppError } from "../../core/errors.ts";
import type { Operations } from "../../operations.ts";

/** A person's tools as an operator's terminal has them, whether the program runs or was opened for this alone. */
export const operatedHost = (operations: Operations, whose: PersonRequest): ToolHost => ({
  list: () => operations.personTools(whose),
  call: ({ name, arguments: args, signal, progress }) =>
    operations
      .callPersonTool({ ...whose, tool: name, arguments: args }, ({ step, of, words }) => progress(step, of, words), signal)
      .catch((thrown) => {
        throw thrown instanceof AppError && thrown.code === "CALL_INVALID" ? new BadCall(thrown.message) : thrown;
      }),
});
