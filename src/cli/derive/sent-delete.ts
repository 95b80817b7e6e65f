import { ClientError } from "../../client/errors.js";
import { isOperationName } from "../../contract/operation-names.js";
import { type OperationName, wireOperations } from "../../contract/wire.js";
import type { Connection, Session } from "../session/session.js";

/**
 * Sends a DELETE. If the response is lost, checks whether the resource still exists (public.errors.6).
 * @throws the ClientError from the DELETE if the service refused it, or if its outcome is unknown
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
    const isDeleted = await client.call(get, { path }, { signal }).then(
      () => false,
      (failure: unknown) => failure instanceof ClientError && failure.status === 404,
    );
    if (!isDeleted) throw error;
    session.notes.note("the response was lost, but the delete took effect");
  }
}

export function getOf(name: OperationName): OperationName | undefined {
  const get = name.replace(/\.delete$/, ".get");
  return isOperationName(get) && wireOperations[get]?.path === wireOperations[name]?.path ? get : undefined;
}
