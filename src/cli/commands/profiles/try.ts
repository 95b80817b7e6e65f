import { trimPeriod } from "../../../base/text.js";
import { ClientError } from "../../../client/errors.js";
import type { ApiName } from "../../../contract/apis.js";
import type { OperationName } from "../../../contract/wire.js";
import { CliError } from "../../errors/errors.js";
import { toClientExit } from "../../errors/exit-codes.js";
import type { Session } from "../../session/session.js";

/** For each API, the cheapest read that requires a key. */
export const probes = {
  public: "ping",
  "distributor-v1": "partners.list",
  "distributor-v2": "orgs.list",
  legacy: "legacy.health",
} as const satisfies Readonly<Record<ApiName, OperationName>>;

interface UntriedKey {
  name: string;
  api: ApiName;
  url: string;
  key: string;
  paths: Readonly<Record<string, string>>;
  caFile: string | undefined;
}

/** With these statuses, the service accepted the key and rejected the request for another reason. */
const recognized = new Set([402, 403, 429]);

/**
 * Sends one request, so that a mistyped key or URL is reported now, not in a nightly job.
 * @throws CliError with exit code 3 if the service rejects the key, 4 if the URL is wrong, 9 if the service
 * is unreachable
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
    await connection.client.call(probes[api], {}, { signal: session.signal, maxWaitMilliseconds: 0 });
  } catch (error) {
    if (!(error instanceof ClientError) || session.signal.aborted) throw error;
    if (error.status !== undefined && recognized.has(error.status) && !isForOtherApi(error)) {
      session.notes.warn(`the service responded to this key with ${error.status}: ${error.message}`);
      return;
    }
    throw toUntriedError(error, url);
  } finally {
    await connection.close();
  }
}

/** With such a key, later commands would also fail, because a key's API versions can't be changed (dist.auth.2). */
function isForOtherApi({ code }: ClientError): boolean {
  return code === "API_VERSION_NOT_ALLOWED";
}

function toUntriedError(error: ClientError, url: string): CliError {
  const { code, details, retryable, status } = error;
  const reason =
    status === 401 || isForOtherApi(error)
      ? `the service at ${url} rejected the key`
      : status === 404
        ? `API not found at ${url}`
        : `the request to ${url} failed`;
  return new CliError({
    exit: toClientExit(error),
    code,
    message: `${reason}: ${trimPeriod(error.message)}; nothing was saved`,
    details,
    retryable,
    hint: [error.hint, "to store the key without a test, use --no-check"]
      .filter((part) => part !== undefined)
      .join("; "),
    cause: error,
  });
}
