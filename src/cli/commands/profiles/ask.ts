import { secretMask } from "../../../base/secret-mask.js";
import { buildFlagWords } from "../../../base/shell-words.js";
import { type ApiName, apis } from "../../../contract/apis.js";
import { confirmNew } from "../../derive/confirm-new.js";
import { CliError } from "../../errors/errors.js";
import { findApiByAddress, isHostAlone, parseAddress, readApi } from "../../profiles/address.js";
import { describeKeySource } from "../../profiles/keys.js";
import type { StoredKey } from "../../profiles/store.js";
import { apiNames } from "../../profiles/store.js";
import type { Session } from "../../session/session.js";

export interface TypedKey {
  from: "typed";
  value: string;
}

interface DeploymentAddress {
  api: ApiName;
  url: string;
  production: boolean | undefined;
}

const apiDescriptions: Readonly<Record<ApiName, string>> = {
  public: "contacts, assistants, calls: https://HOST/api/v1",
  "distributor-v1": "partners and customers: https://HOST/api/distributor/v1",
  "distributor-v2": "organizations and licenses: https://HOST/api/distributor/v2",
  legacy: "outbound calls with camelCase fields: https://HOST",
};

/** Prompts for the values that no flag sets. @throws interrupted error (130) */
export async function askForDeployment(
  given: { api: ApiName | undefined; production: boolean | undefined },
  { prompts, notes }: Session,
): Promise<DeploymentAddress> {
  const typed = (
    await prompts.text({
      message: "Base URL:",
      required: true,
      validate: (text) => {
        const address = text.trim();
        // A URL without a path is valid for every API, so the next prompt asks for the API.
        if (given.api === undefined && isHostAlone(address)) return findAddressProblem(address, "legacy");
        return findAddressProblem(address, given.api);
      },
    })
  ).trim();
  const apiOfAddress = findApiByAddress(typed);
  if (given.api === undefined && apiOfAddress !== undefined)
    notes.note(`API: ${apiOfAddress} (detected from the URL)`);
  const api =
    given.api ??
    apiOfAddress ??
    (await prompts.choose({
      message: "API:",
      choices: apiNames.map((name) => ({ name, value: name, description: apiDescriptions[name] })),
    }));
  const isCompleted = given.api === undefined && isHostAlone(typed);
  const address = isCompleted ? new URL(apis[api].basePath, typed).href : typed;
  const url = parseAddress(address, api, "--url");
  const production =
    given.production ??
    (await prompts.confirm({
      message: "Mark as production (shows a banner; destructive commands require --confirm)?",
      default: false,
    }));
  return { api, url, production };
}

function findAddressProblem(text: string, api: ApiName | undefined): true | string {
  try {
    parseAddress(text, api ?? readApi(text, "URL"), "URL");
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
  }
}

/**
 * Asks the user to confirm a new profile. Shows neither the key nor a command that contains the key.
 * @throws refused error (12)
 */
export async function confirmProfile(
  session: Session,
  made: DeploymentAddress & { name: string; expires: string | undefined; key: StoredKey | TypedKey },
): Promise<void> {
  const { name, api, url, production, expires, key } = made;
  const variable = `${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_KEY`.replace(/^(?=\d)/, "_");
  const fromKey =
    key.from === "environment"
      ? buildFlagWords("key-env", key.variable)
      : key.from === "file"
        ? buildFlagWords("key-file", key.path)
        : ["--key-stdin"];
  await confirmNew(session, {
    noun: "profile",
    dryRun: false,
    rows: [
      ["name", name],
      ["API", api],
      ["URL", url],
      ["key", key.from === "typed" ? secretMask : describeKeySource(key)],
      ...(expires === undefined ? [] : [["key expires", expires] as const]),
      ["production", production ? "yes" : "no"],
    ],
    before: key.from === "typed" ? `printf %s "$${variable}" | ` : "",
    words: [
      ...["profiles", "add", name],
      ...(api === "public" || findApiByAddress(url) === api ? [] : buildFlagWords("api", api)),
      ...buildFlagWords("url", url),
      ...fromKey,
      ...(expires === undefined ? [] : buildFlagWords("expires", expires)),
      ...(production ? ["--production"] : []),
    ],
  });
}
