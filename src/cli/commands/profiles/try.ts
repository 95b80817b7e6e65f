import { ClientError } from "../../../client/errors.js";
import type { SurfaceName } from "../../../contract/surfaces.js";
import { CliError } from "../../errors/errors.js";
import { clientExit } from "../../errors/exit-codes.js";
import type { Session } from "../../session/session.js";
import { probes } from "./check.js";

interface Untried {
  name: string;
  surface: SurfaceName;
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
  { name, surface, url, key, paths, caFile }: Untried,
  session: Session,
): Promise<void> {
  const connection = await session.reach({
    kind: "remote",
    name,
    chosenBy: "flag",
    production: false,
    targets: { [surface]: { baseUrl: url, key } },
    paths,
    caFile,
  });
  try {
    await connection.client.request(probes[surface], { signal: session.signal, maxWaitMilliseconds: 0 });
  } catch (error) {
    if (!(error instanceof ClientError) || session.signal.aborted) throw error;
    if (error.status !== undefined && recognized.has(error.status)) {
      session.notes.warn(`the service knows this key, but answered ${error.status}: ${error.message}`);
      return;
    }
    throw untriedError(error, url);
  } finally {
    await connection.close();
  }
}

function untriedError(error: ClientError, url: string): CliError {
  const { code, details, retryable, status } = error;
  const reason =
    status === 401
      ? `the service at ${url} does not take this key`
      : status === 404
        ? `there is no such interface at ${url}`
        : `${url} could not be asked`;
  return new CliError({
    exit: clientExit(error),
    code,
    message: `${reason}; nothing was stored: ${error.message}`,
    details,
    retryable,
    hint: [error.hint, "--no-check stores the key untried"].filter((part) => part !== undefined).join("; "),
    cause: error,
  });
}
