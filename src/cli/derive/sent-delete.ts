import { ClientError } from "../../client/errors.js";
import { type OperationName, wireOperations } from "../../contract/wire.js";
import type { Connection, Session } from "../session/session.js";

/**
 * Sends a DELETE. Where its answer is lost, the thing is looked for: what is not there any more is deleted
 * (public.errors.6: check the state before retrying).
 * @throws ClientError of the DELETE where it was refused, or where its outcome is unknown
 */
export async function sendDelete(
  { client }: Connection,
  name: OperationName,
  path: Readonly<Record<string, string>>,
  session: Session,
): Promise<void> {
  const { signal } = session;
  try {
    await client.call(name, { path }, { signal });
  } catch (error) {
    const get = getOf(name);
    if (!(error instanceof ClientError) || error.outcome !== "unknown" || signal.aborted || !get) throw error;
    const gone = await client.call(get, { path }, { signal }).then(
      () => false,
      (failure: unknown) => failure instanceof ClientError && failure.status === 404,
    );
    if (!gone) throw error;
    session.notes.note("the answer was lost; it is not there any more");
  }
}

/** The operation that reads what this one deletes. */
export function getOf(name: OperationName): OperationName | undefined {
  const get = name.replace(/\.delete$/, ".get");
  return isOperation(get) && wireOperations[get]?.path === wireOperations[name]?.path ? get : undefined;
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(wireOperations, name);
}
