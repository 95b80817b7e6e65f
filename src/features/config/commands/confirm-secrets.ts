import { notFoundError, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { LockLine } from "../lock.js";
import { withSharedLock } from "./applied-lock.js";
import { withConfigErrors } from "./errors.js";
import { targetFlags } from "./flags.js";
import { createSecretReader } from "./secret-sources.js";
import { forEachTarget, openCommandFolder } from "./target-context.js";

export const confirmSecrets: Command = {
  name: "confirm",
  summary: "Mark the current secrets as already set in the service",
  description:
    "Stores fingerprints of the secrets in the lock file, so that voxctl can detect later changes. Sends only read requests. Run this command after you change the API key or adopt resources.",
  arguments: [
    { name: "key", description: "Keys of the resources whose secrets you confirm", variadic: true },
  ],
  flags: targetFlags,
  examples: [{ command: "voxctl config secrets confirm --target prod assistants/empfang" }],
  run: (session, input) => withConfigErrors(() => runConfirm(session, input)),
};

async function runConfirm(session: Session, input: Input): Promise<void> {
  if (input.arguments.length === 0) throw usageError("missing argument: <key>");
  const folder = await openCommandFolder(session, input);
  await forEachTarget(session, input, folder, { mutates: false }, async (targetContext) => {
    const { assertLockOrganization, declareChecked, readOnly, stateAfter, writeLockFile } = await import(
      "../index.js"
    );
    const declared = declareChecked(folder, targetContext.target, {
      env: session.io.env,
      access: targetContext.access,
    });
    const { objects } = declared;
    const { lock } = targetContext.lockFile;
    const { lines } = lock;
    const reader = await createSecretReader(targetContext);
    const confirmed: { key: string; field: string }[] = [];
    const given: LockLine[] = [];
    for (const key of new Set(input.arguments.map((text) => text.normalize("NFC")))) {
      const object = objects.get(key);
      const line = lines.get(key);
      if (object === undefined || line === undefined)
        throw notFoundError(`${key} is ${object === undefined ? "not in the directory" : "not bound"}`);
      const secrets = { ...line.secrets };
      for (const [field, source] of object.secrets) {
        const value = source === null ? undefined : await reader.read(source.from);
        if (source === null) continue;
        if (value === undefined) throw usageError(`${key}: ${source.from} is not set`);
        secrets[field] = stateAfter(source, value, reader.fingerprints);
        confirmed.push({ key, field });
      }
      given.push(line);
      lines.set(key, { ...line, secrets });
    }
    // Fingerprints depend on the API key: another organization's key would replace valid fingerprints.
    const reading = { client: readOnly(targetContext.connection.client), signal: session.signal };
    await assertLockOrganization(reading, given, { declared, lock });
    await withSharedLock(targetContext, () => writeLockFile(targetContext.lockFile));
    await session.output.item({ target: targetContext.target, confirmed });
  });
}
