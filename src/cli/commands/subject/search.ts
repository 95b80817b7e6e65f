import { counted } from "../../../base/text.js";
import type { Findings, Matcher } from "../../../subject/index.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";
import { createBulkProgress } from "../../terminal/progress.js";
import type { TypedSubject } from "./typed.js";

/** A search for a caller in an organization. */
export interface SubjectSearch {
  findings: Findings;
  /** Times of this machine's clock. */
  startedAt: string;
  endedAt: string;
  baseUrl: string;
  /** Numbers and addresses of the caller's contacts that were not looked for. */
  further: string[];
}

/** What finds a caller. */
export interface SubjectMatchers {
  matcher: Matcher;
  /** The same, which takes these ids for traces of the caller, too. */
  withIds(ids: readonly string[]): Matcher;
}

/** What finds the caller that was typed. @throws BulkError that names the flag */
export async function matchersOf(typed: TypedSubject): Promise<SubjectMatchers> {
  const { createMatcher, readIdentifiers } = await import("../../../subject/index.js");
  const identifiers = await readIdentifiers(typed);
  return {
    matcher: createMatcher(identifiers),
    withIds: (ids) => createMatcher(identifiers, ids),
  };
}

/** Looks for a caller through the API. @throws as the client */
export async function searchFor(
  session: Session,
  matcher: Matcher,
  { texts }: { texts: boolean },
): Promise<SubjectSearch> {
  const { furtherOf, searchOrganization } = await import("../../../subject/index.js");
  const connection = await session.connect();
  const now = () => new Date(session.clock.now()).toISOString();
  const startedAt = now();
  const progress = createBulkProgress(session.notes, session.clock, connection.clock);
  const { client } = connection;
  const findings = await searchOrganization({
    ...{ client, signal: session.signal, matcher, texts },
    onRead: (where, count) => progress.activity(`reading ${where}: ${count.toLocaleString("en-US")}`),
  }).finally(() => progress.end());
  const baseUrl = connection.baseUrl("public") ?? "";
  return { findings, startedAt, endedAt: now(), baseUrl, further: furtherOf(findings.things, matcher) };
}

/** Says how much was searched, and what was not: nothing may pass for the whole. */
export function tellSearched({ notes }: Session, { searched, notSearched, further }: Told): void {
  const parts = searched.map(({ where, read, gone }) =>
    [
      `${counted(read, nounOf(where), where === "knowledge" ? "knowledge items" : where)}`,
      gone > 0 ? ` (${gone} gone meanwhile)` : "",
    ].join(""),
  );
  notes.note(`searched: ${parts.join(", ")}`);
  for (const { where, id, reason, failed } of notSearched)
    (failed ? notes.warn : notes.note)(`not searched: ${where}${id === null ? "" : ` ${id}`}: ${reason}`);
  if (further.length > 0)
    notes.note(
      `what was found also has ${further.join(", ")}: not looked for; give them, too, if they are the caller's`,
    );
}

interface Told {
  searched: Findings["searched"];
  notSearched: Findings["notSearched"];
  further: readonly string[];
}

function nounOf(where: string): string {
  return where === "knowledge" ? "knowledge item" : where.replace(/s$/, "");
}

/** @throws CliError partly done (68) where a place could not be searched */
export function assertSearched({ notSearched }: Findings): void {
  const failed = notSearched.filter((one) => one.failed);
  if (failed.length === 0) return;
  throw new CliError({
    exit: exits.partlyDone,
    code: "not_searched",
    message: `not everything could be searched: ${[...new Set(failed.map(({ where }) => where))].join(", ")}`,
    hint: "the key's role may not show it; what was searched stands above",
  });
}
