import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { fileExistsError } from "../../errors/errors.js";
import { getOfflineFile } from "../../profiles/choose.js";
import type { StoredProfile } from "../../profiles/store.js";
import type { Input } from "../../session/input.js";
import { copyMirror } from "../../session/mirror-fork.js";
import { openPublicMirror } from "../../session/mirrors.js";
import type { Session } from "../../session/session.js";
import { type Addition, assertNoConflictingFlags, deploymentFlags, toTypeError } from "./addition.js";
import { assertConfirmed } from "./replace.js";

export async function createOffline(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  assertNoConflictingFlags("offline", deploymentFlags, input);
  const file = input.text("db");
  const given = file === undefined ? undefined : resolve(session.io.cwd, file);
  const addition = createOfflineAddition(
    name,
    input,
    (former) => given ?? former ?? getOfflineFile(session.folders, name),
  );
  if (stored?.kind !== "offline" || given === undefined || given === stored.db) return addition;
  const what = `this would change the database of profile "${name}" from ${stored.db} to ${given}`;
  await assertConfirmed({ name, production: stored.production }, what, session);
  return { ...addition, note: `Kept ${stored.db}, which profile "${name}" no longer uses.` };
}

/** Creates an offline profile with a writable copy of a mirror. The copy doesn't expire. */
export async function createFromMirror(
  { name, mirror, stored }: { name: string; mirror: string; stored: StoredProfile | undefined },
  session: Session,
  input: Input,
): Promise<Addition> {
  assertNoConflictingFlags("from-mirror", [...deploymentFlags, "offline"], input);
  if (stored?.kind === "remote") throw toTypeError(name, stored);
  const file = input.text("db");
  const db = file === undefined ? getOfflineFile(session.folders, name) : resolve(session.io.cwd, file);
  if (existsSync(db)) throw fileExistsError(db, "use a different name, or a different file with --db");
  const mirrorFile = await openPublicMirror(session, mirror);
  await makePrivateFolder(dirname(db));
  copyMirror(mirrorFile, db);
  if (!mirrorFile.manifest.pseudonymized)
    session.notes.note(`${db} contains personal data from mirror "${mirror}" and doesn't expire`);
  return createOfflineAddition(name, input, () => db);
}

function createOfflineAddition(
  name: string,
  input: Input,
  fileOf: (former: string | undefined) => string,
): Addition {
  return {
    onto(stored) {
      if (stored?.kind === "remote") throw toTypeError(name, stored);
      const production = input.on("production") ?? stored?.production ?? false;
      return { ...stored, kind: "offline", production, db: fileOf(stored?.db) };
    },
  };
}
