import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Fields, getText, getValueAt } from "../../../../base/fields.js";
import { makePrivateFolder } from "../../../../base/private-file.js";
import { formatCount, inflect } from "../../../../base/text.js";
import { ClientError } from "../../../../client/errors.js";
import { CliError, exits } from "../../../errors/errors.js";
import { assertResultFields } from "../../../output/field-names.js";
import type { Input } from "../../../session/input.js";
import { assistant } from "../../../session/references/assistant.js";
import { readKnown } from "../../../session/references/known-names.js";
import type { Session } from "../../../session/session.js";
import { type BulkProgress, createBulkProgress } from "../../../terminal/progress.js";
import { listCallsOfPeriod } from "../call/period.js";
import { download, formatSetAside } from "./file.js";
import { assertTemplate, formatDefaultName, formatName, getExtension, recordingEndings } from "./names.js";
import { createTurn } from "./turn.js";

interface Row {
  id: string;
  file: string | null;
  bytes: number | null;
  outcome: "downloaded" | "existing" | "missing" | "failed";
  error?: string;
}

const fields = ["id", "file", "bytes", "outcome"];

/**
 * Downloads the recordings of many calls. Skips complete files and resumes partial files.
 * @throws CliError with exit code 68 if a download failed
 */
export async function downloadMany(session: Session, input: Input): Promise<void> {
  assertResultFields(session.flags.fields, [...fields, "error"]);
  const folder = input.text("out") ?? ".";
  const template = input.text("name");
  if (template !== undefined) assertTemplate(template);
  const { client, clock } = await session.connect();
  const calls = await listCallsOfPeriod(session, client, input);
  const path = resolve(session.io.cwd, folder);
  await makePrivateFolder(path);
  const names = template?.includes("{assistant}") ? await readKnown(session, client, assistant) : undefined;
  const nameOf = (call: Fields, id: string) =>
    template === undefined
      ? formatDefaultName(call, id)
      : formatName(template, call, id, names?.get(getText(call, "assistant_id"))?.name ?? "");
  const counts = { downloaded: 0, existing: 0, missing: 0, failed: 0, none: 0 };
  const rows = downloadRecordings(session, calls, {
    folder,
    path,
    nameOf,
    force: input.on("force") === true,
    counts,
    progress: createBulkProgress(session.notes, session.clock, clock),
  });
  const listed = session.output.list(rows, {
    columns: [
      { header: "CALL", value: "id", keep: true },
      { header: "FILE", value: "file", keep: true },
      { header: "BYTES", value: "bytes", align: "right" },
      { header: "OUTCOME", value: "outcome", keep: true },
    ],
    fields,
    empty: "no recordings",
  });
  await listed.catch((error: unknown) => {
    if (session.signal.aborted)
      session.notes.note(
        `Downloaded ${formatCount(counts.downloaded, "recording")}. To continue, run the same command again.`,
      );
    throw error;
  });
  const { downloaded, existing, missing, failed, none } = counts;
  session.notes.note(
    `Downloaded ${formatCount(downloaded, "recording")}; ${existing} already existed; ${formatCount(none, "call")} had no recording.`,
  );
  if (missing > 0)
    session.notes.warn(
      `${formatCount(missing, "recording")} no longer ${inflect(missing, "exists", "exist")}`,
    );
  if (failed === 0) return;
  throw new CliError({
    exit: exits.partlyDone,
    code: "partly_done",
    message: `${formatCount(failed, "recording")} failed to download`,
    retryable: true,
    hint: "to continue, run the same command again",
  });
}

async function* downloadRecordings(
  session: Session,
  calls: AsyncIterable<Fields>,
  target: {
    folder: string;
    path: string;
    nameOf(call: Fields, id: string): string;
    force: boolean;
    counts: Record<Row["outcome"] | "none", number>;
    progress: BulkProgress;
  },
): AsyncGenerator<Row, void> {
  const { folder, path, nameOf, force, counts, progress } = target;
  const present = new Set((await readdir(path)).filter((entry) => existsSync(join(path, entry))));
  const named = new Map<string, string>();
  for await (const call of calls) {
    const id = getText(call, "id");
    // Only `false` means that the call has no recording, because the list may omit the field.
    if (getValueAt(call, "recording.available") === false || id === "") {
      counts.none += 1;
      continue;
    }
    const name = nameOf(call, id);
    const existingId = named.get(name);
    named.set(name, id);
    // Two calls can have the same file name. If the IDs are equal, the list contains the call twice, which is
    // not an error.
    if (existingId !== undefined && existingId !== id) {
      const error = `${id} has the same file name as ${existingId}`;
      session.notes.warn(
        `${error}; to save the recording, run \`voxctl calls recording download ${id} --out FILE\``,
      );
      counts.failed += 1;
      yield { id, file: null, bytes: null, outcome: "failed", error };
      continue;
    }
    const file = force
      ? undefined
      : recordingEndings.map((ending) => `${name}.${ending}`).find((fileName) => present.has(fileName));
    if (file === undefined)
      progress.activity(`downloading ${name} (${formatCount(counts.downloaded, "recording")} so far)`);
    const row: Row =
      file === undefined
        ? await downloadOne(session, call, { id, name, folder, path, force }).finally(() => progress.end())
        : { id, file: join(folder, file), bytes: null, outcome: "existing" };
    counts[row.outcome] += 1;
    yield row;
  }
}

async function downloadOne(
  session: Session,
  call: Fields,
  {
    id,
    name,
    folder,
    path,
    force,
  }: { id: string; name: string; folder: string; path: string; force: boolean },
): Promise<Row> {
  const type = getValueAt(call, "recording.content_type");
  const named = (contentType: string) => `${name}.${getExtension(contentType)}`;
  try {
    const { file, bytes, wasComplete } = await download({
      connection: await session.connect(),
      signal: session.signal,
      callId: id,
      destination: {
        shown: (contentType) => join(folder, named(contentType)),
        path: (contentType) => join(path, named(contentType)),
        expected: join(path, named(typeof type === "string" ? type : "")),
        isGiven: false,
        refuseExisting: () => {},
      },
      force,
      onProgress: () => {},
      onSetAside: (draft, kept) => session.notes.warn(formatSetAside(join(folder, basename(draft)), kept)),
      turn: createTurn(session),
    });
    // `wasComplete` means that another process downloaded the file in the meantime.
    return { id, file, bytes, outcome: wasComplete ? "existing" : "downloaded" };
  } catch (error) {
    session.signal.throwIfAborted();
    if (error instanceof ClientError && error.status === 404)
      return { id, file: null, bytes: null, outcome: "missing" };
    // Stop, because all other downloads would fail for the same reason.
    if (
      error instanceof ClientError &&
      (error.status === 401 || error.status === 403 || error.type === "configuration")
    )
      throw error;
    if (!(error instanceof ClientError) && !(error instanceof CliError)) throw error;
    session.notes.warn(`${id}: ${error.message}`);
    return { id, file: null, bytes: null, outcome: "failed", error: error.message };
  }
}
