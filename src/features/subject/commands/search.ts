import { formatCount, formatThousands } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { createBulkProgress } from "../../../cli/terminal/progress.js";
import type { TypedSubject } from "../identifiers.js";
import type { Findings, LocalFindings, Matcher } from "../index.js";

export interface SubjectSearch {
  findings: Findings;
  /** Start time in ISO 8601, by this machine's clock. */
  startedAt: string;
  endedAt: string;
  baseUrl: string;
  /** Other phone numbers and email addresses in the caller's contacts, which were not searched for. */
  further: string[];
}

export interface SubjectMatchers {
  matcher: Matcher;
  withIds(ids: readonly string[]): Matcher;
}

/** @throws BulkError that names the flag */
export async function createMatchers(typed: TypedSubject): Promise<SubjectMatchers> {
  const { createMatcher, readIdentifiers } = await import("../index.js");
  const identifiers = await readIdentifiers(typed);
  return {
    matcher: createMatcher(identifiers),
    withIds: (ids) => createMatcher(identifiers, ids),
  };
}

/** @throws the client's errors */
export async function searchSubject(
  session: Session,
  matcher: Matcher,
  { texts }: { texts: boolean },
): Promise<SubjectSearch> {
  const { findFurther, searchOrganization } = await import("../index.js");
  const connection = await session.connect();
  const now = () => new Date(session.clock.now()).toISOString();
  const startedAt = now();
  const progress = createBulkProgress(session.notes, session.clock, connection.clock);
  const { client } = connection;
  const findings = await searchOrganization({
    ...{ client, signal: session.signal, matcher, texts },
    onRead: (where, count) => progress.activity(`reading ${where}: ${formatThousands(count)}`),
  }).finally(() => progress.end());
  const baseUrl = connection.baseUrl("public") ?? "";
  return { findings, startedAt, endedAt: now(), baseUrl, further: findFurther(findings.resources, matcher) };
}

export function noteSearched({ notes }: Session, { searched, notSearched, further }: SearchScope): void {
  const parts = searched.map(({ where, read, gone }) =>
    [formatItemCount(where, read), gone > 0 ? ` (${gone} deleted during the search)` : ""].join(""),
  );
  notes.note(`Searched: ${parts.join(", ")}`);
  const whole = notSearched.filter(({ id, failed }) => id === null && !failed);
  for (const reason of new Set(whole.map((entry) => entry.reason))) {
    const locations = whole.filter((entry) => entry.reason === reason).map(({ where }) => where);
    notes.note(`Not searched: ${locations.join(", ")} (${reason})`);
  }
  for (const { where, id, reason } of notSearched.filter(({ failed }) => failed))
    notes.warn(`not searched: ${where}${id === null ? "" : ` ${id}`}: ${reason}`);
  if (further.length > 0)
    notes.note(
      `The matches also contain ${further.join(", ")}. Add any that belong to the caller to the search.`,
    );
}

interface SearchScope {
  searched: Findings["searched"];
  notSearched: Findings["notSearched"];
  further: readonly string[];
}

const nouns: Readonly<Record<string, string>> = {
  knowledge: "knowledge item",
  glossary: "glossary entry",
  pronunciation: "pronunciation",
};

function formatItemCount(where: string, count: number): string {
  const noun = nouns[where] ?? where.replace(/s$/, "");
  return formatCount(count, noun, where === "glossary" ? "glossary entries" : `${noun}s`);
}

/** @throws CliError with exit code 68 if a source could not be searched */
export function assertSearched({ notSearched }: Findings, local: LocalFindings | undefined): void {
  const failed = notSearched.filter((entry) => entry.failed).map(({ where }) => where);
  const failedFiles = (local?.notSearched ?? []).map(({ area }) => area);
  if (failed.length + failedFiles.length === 0) return;
  throw new CliError({
    exit: exits.partlyDone,
    code: "not_searched",
    message: `could not search all sources: ${[...new Set([...failed, ...failedFiles])].join(", ")}`,
    hint: failed.length > 0 ? "use an API key that can read them" : "check the files manually",
  });
}
