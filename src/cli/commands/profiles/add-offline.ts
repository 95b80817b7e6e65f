import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { usageError } from "../../errors/errors.js";
import { offlineFile } from "../../profiles/choose.js";
import type { StoredProfile } from "../../profiles/store.js";
import type { Input } from "../../session/input.js";
import { copyMirror } from "../../session/mirror-fork.js";
import { openPublicMirror } from "../../session/mirrors.js";
import type { Session } from "../../session/session.js";
import { type Addition, deploymentFlags, kindError, refuseBeside } from "./addition.js";
import { assertYes } from "./replace.js";

/** Another offline world, in a file of its own. */
export async function offline(
  name: string,
  stored: StoredProfile | undefined,
  session: Session,
  input: Input,
): Promise<Addition> {
  refuseBeside("offline", deploymentFlags, input);
  const file = input.text("db");
  const given = file === undefined ? undefined : resolve(session.io.cwd, file);
  const addition = offlineAddition(
    name,
    input,
    (former) => given ?? former ?? offlineFile(session.folders, name),
  );
  if (stored?.kind !== "offline" || given === undefined || given === stored.db) return addition;
  const what = `the profile ${name} leads to the world ${stored.db}; it would lead to ${given}`;
  await assertYes({ name, production: stored.production }, what, session);
  return { ...addition, note: `${stored.db} stays, and no command of ${name} goes there any more` };
}

/** A copy of a mirror, to keep and to write into: what the mirror is deleted for does not concern it. */
export async function fromMirror(
  { name, mirror, stored }: { name: string; mirror: string; stored: StoredProfile | undefined },
  session: Session,
  input: Input,
): Promise<Addition> {
  refuseBeside("from-mirror", [...deploymentFlags, "offline"], input);
  if (stored?.kind === "remote") throw kindError(name, stored);
  const file = input.text("db");
  const db = file === undefined ? offlineFile(session.folders, name) : resolve(session.io.cwd, file);
  if (existsSync(db)) throw usageError(`${db} is there already; give another name, or another file by --db`);
  const found = await openPublicMirror(session, mirror);
  await makePrivateFolder(dirname(db));
  copyMirror(found, db);
  if (!found.manifest.pseudonymized)
    session.notes.note(`${db} holds the personal data of ${mirror}, and does not expire`);
  return offlineAddition(name, input, () => db);
}

function offlineAddition(
  name: string,
  input: Input,
  fileOf: (former: string | undefined) => string,
): Addition {
  return {
    onto(stored) {
      if (stored?.kind === "remote") throw kindError(name, stored);
      const production = input.on("production") ?? stored?.production ?? false;
      return { ...stored, kind: "offline", production, db: fileOf(stored?.db) };
    },
  };
}
