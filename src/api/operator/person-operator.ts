import { BadCall, type HostedCall, type HostedResult, type HostedTool } from "../../agent/tools/hosted-tools.ts";
import type { CallProgress, PersonCallRequest } from "../../agent/tools/person-calls.ts";
import { PersonHost } from "../../agent/tools/person-host.ts";
import type { Caller, ToolAccess } from "../../agent/tools/tool-access.ts";
import { AppError } from "../../core/errors.ts";
import type { PersonId, TenantId } from "../../core/ids.ts";

export interface PersonOperatorParts {
  readonly access: ToolAccess;
  /** @throws AppError NOT_FOUND when nobody logs in at that server */
  loginLink(tenant: TenantId, server: string, person: PersonId): Promise<string>;
  logOut(tenant: TenantId, server: string, person: PersonId): Promise<boolean>;
}

/** What an operator does in one person's name. */
export class PersonOperator {
  readonly #parts: PersonOperatorParts;

  constructor(parts: PersonOperatorParts) {
    this.#parts = parts;
  }

  tools(caller: Caller): Promise<readonly HostedTool[]> {
    return new PersonHost(this.#parts.access, caller).list();
  }

  /** @throws AppError CALL_INVALID */
  async call(
    caller: Caller,
    { tool, arguments: args }: Pick<PersonCallRequest, "tool" | "arguments">,
    onProgress: (news: CallProgress) => void,
    signal: AbortSignal,
  ): Promise<HostedResult> {
    const progress: HostedCall["progress"] = (step, of, words) => onProgress({ step, words, ...(of !== undefined && { of }) });
    try {
      return await new PersonHost(this.#parts.access, caller).call({ name: tool, arguments: args, signal, progress });
    } catch (thrown) {
      throw thrown instanceof BadCall ? new AppError("CALL_INVALID", thrown.message) : thrown;
    }
  }

  async loginLink({ tenant, person }: Caller, server: string): Promise<{ readonly url: string }> {
    return { url: await this.#parts.loginLink(tenant, server, person) };
  }

  logOut({ tenant, person }: Caller, server: string): Promise<boolean> {
    return this.#parts.logOut(tenant, server, person);
  }
}
