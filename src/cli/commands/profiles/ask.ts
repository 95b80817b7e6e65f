import { secretMask } from "../../../base/secret-mask.js";
import { type SurfaceName, surfaces } from "../../../contract/surfaces.js";
import { confirmNew } from "../../derive/confirm-new.js";
import { CliError } from "../../errors/errors.js";
import { flagWords } from "../../errors/shell-words.js";
import { isHostAlone, parseAddress, readSurface, surfaceOfAddress } from "../../profiles/address.js";
import { keySource } from "../../profiles/keys.js";
import type { StoredKey } from "../../profiles/store.js";
import { surfaceNames } from "../../profiles/store.js";
import type { Session } from "../../session/session.js";

/** A key that was typed or piped, and is to be kept somewhere. */
export interface TypedKey {
  from: "typed";
  value: string;
}

/** Questions about a deployment: which interface, where, and how careful to be. */
interface Place {
  surface: SurfaceName;
  url: string;
  production: boolean | undefined;
}

const surfaceHelp: Readonly<Record<SurfaceName, string>> = {
  public: "contacts, assistants, calls: https://HOST/api/v1",
  "distributor-v1": "partners and customers: https://HOST/api/distributor/v1",
  "distributor-v2": "organizations and licenses: https://HOST/api/distributor/v2",
  legacy: "outbound calls with camelCase fields: https://HOST",
};

/** Asks for what no flag said of a deployment. @throws interrupted error (130) */
export async function askForPlace(
  said: { surface: SurfaceName | undefined; production: boolean | undefined },
  { prompts, notes }: Session,
): Promise<Place> {
  const typed = (
    await prompts.text({
      message: "base address:",
      required: true,
      validate: (text) => {
        const address = text.trim();
        // A host alone says nothing of the interface: that is the next question, and completes it.
        if (said.surface === undefined && isHostAlone(address)) return complaintOf(address, "legacy");
        return complaintOf(address, said.surface);
      },
    })
  ).trim();
  const told = surfaceOfAddress(typed);
  if (said.surface === undefined && told !== undefined) notes.note(`Interface: ${told}, as the address says`);
  const surface =
    said.surface ??
    told ??
    (await prompts.choose({
      message: "interface:",
      choices: surfaceNames.map((name) => ({ name, value: name, description: surfaceHelp[name] })),
    }));
  const isCompleted = said.surface === undefined && isHostAlone(typed);
  const address = isCompleted ? new URL(surfaces[surface].basePath, typed).href : typed;
  const url = parseAddress(address, surface, "--url");
  const production =
    said.production ??
    (await prompts.confirm({
      message: "production (a banner, and what deletes wants --confirm)?",
      default: false,
    }));
  return { surface, url, production };
}

function complaintOf(text: string, surface: SurfaceName | undefined): true | string {
  try {
    parseAddress(text, surface ?? readSurface(text, "the address"), "the address");
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
  }
}

/**
 * Shows a profile, has it confirmed, and says the command that adds it; its key is in neither. @throws refused error
 * (12)
 */
export async function confirmProfile(
  session: Session,
  made: Place & { name: string; expires: string | undefined; key: StoredKey | TypedKey },
): Promise<void> {
  const { name, surface, url, production, expires, key } = made;
  const variable = `${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_KEY`.replace(/^(?=\d)/, "_");
  const fromKey =
    key.from === "environment"
      ? flagWords("key-env", key.variable)
      : key.from === "file"
        ? flagWords("key-file", key.path)
        : ["--key-stdin"];
  await confirmNew(session, {
    noun: "profile",
    dryRun: false,
    rows: [
      ["name", name],
      ["interface", surface],
      ["address", url],
      ["key", key.from === "typed" ? secretMask : keySource(key)],
      ...(expires === undefined ? [] : [["key ends", expires] as const]),
      ["production", production ? "yes" : "no"],
    ],
    before: key.from === "typed" ? `printf %s "$${variable}" | ` : "",
    words: [
      ...["profiles", "add", name],
      ...(surface === "public" || surfaceOfAddress(url) === surface ? [] : flagWords("api", surface)),
      ...flagWords("url", url),
      ...fromKey,
      ...(expires === undefined ? [] : flagWords("expires", expires)),
      ...(production ? ["--production"] : []),
    ],
  });
}
