import { ClientError } from "../../../client/errors.js";
import type { RawRequest } from "../../../client/types.js";
import type { ApiName } from "../../../contract/apis.js";
import { CliError } from "../../errors/errors.js";
import { toClientExit } from "../../errors/exit-codes.js";
import type { Session } from "../../session/session.js";

/** The cheapest read of each API that requires its key. */
export const probes: Readonly<Record<ApiName, RawRequest>> = {
  public: { api: "public", method: "GET", rawPath: "/ping" },
  "distributor-v1": { api: "distributor-v1", method: "GET", rawPath: "/partners" },
  "distributor-v2": { api: "distributor-v2", method: "GET", rawPath: "/organizations" },
  legacy: { api: "legacy", method: "GET", rawPath: "/api/v1/health" },
};

interface UntriedKey {
  name: string;
  api: ApiName;
  url: string;
  key: string;
  paths: Readonly<Record<string, string>>;
  caFile: string | undefined;
}

/** A sign that the key is known: the service recognized it before it refused the request for another reason. */
const recognized = new Set([402, 403, 429]);

/**
 * Asks the interface once, so that a mistyped key or address shows now and not in a job at night.
 * @throws what the service says of the key (3), of the address (4), or that it can't be reached (9); nothing is stored
 */
export async function tryKey(
  { name, api, url, key, paths, caFile }: UntriedKey,
  session: Session,
): Promise<void> {
  const connection = await session.reach({
    type: "remote",
    name,
    chosenBy: "flag",
    production: false,
    targets: { [api]: { baseUrl: url, key } },
    paths,
    caFile,
  });
  try {
    await connection.client.request(probes[api], { signal: session.signal, maxWaitMilliseconds: 0 });
  } catch (error) {
    if (!(error instanceof ClientError) || session.signal.aborted) throw error;
    if (error.status !== undefined && recognized.has(error.status)) {
      session.notes.warn(
        `the service accepts this key, but responded with ${error.status}: ${error.message}`,
      );
      return;
    }
    throw toUntriedError(error, url);
  } finally {
    await connection.close();
  }
}

function toUntriedError(error: ClientError, url: string): CliError {
  const { code, details, retryable, status } = error;
  const reason =
    status === 401
      ? `the service at ${url} does not take this key`
      : status === 404
        ? `there is no such interface at ${url}`
        : `${url} could not be asked`;
  return new CliError({
    exit: toClientExit(error),
    code,
    message: `${reason}; nothing was stored: ${error.message}`,
    details,
    retryable,
    hint: [error.hint, "--no-check stores the key untried"].filter((part) => part !== undefined).join("; "),
    cause: error,
  });
}
