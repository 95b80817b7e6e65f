import { CliError, exits } from "../../../cli/errors/errors.js";
import { parseAddress } from "../../../cli/profiles/address.js";
import { chooseProfile } from "../../../cli/profiles/choose.js";
import { addLegacyTarget } from "../../../cli/profiles/environment.js";
import { parseKey } from "../../../cli/profiles/keys.js";
import type { ChosenProfile } from "../../../cli/profiles/profile.js";
import type { Session } from "../../../cli/session/session.js";
import { environmentName, environmentVariables } from "../../../contract/environment-variables.js";
import type { MemberReference } from "../index.js";

export interface MemberAccess {
  profile: ChosenProfile;
  /** Base URL of the Public API; for an embedded emulator, the path of its database. */
  address: string;
  /** Address and key, to compare members. Never printed. */
  identity: string;
  /** Environment variables that give a separate process the member's profile, or its URL and key. */
  variables: Readonly<Record<string, string>>;
}

/**
 * Finds a member's URL and key, and masks the key in all output.
 * @param read returns the key from its source, such as an environment variable
 * @throws usage error (2); authentication error (3) without a key
 */
export async function resolveReference(
  session: Session,
  name: string,
  reference: MemberReference,
  read: (from: string) => Promise<string | undefined>,
): Promise<MemberAccess> {
  if ("profile" in reference) return resolveProfileMember(session, name, reference.profile);
  const baseUrl = parseAddress(reference.url, "public", `url of member ${name}`);
  const text = await read(reference.key);
  if (text === undefined)
    throw keyMissing(`member ${name} has no key: ${reference.key} is not set or can't be read`);
  const key = parseKey(text, `key of member ${name}`);
  session.secrets.add(key);
  const profile: ChosenProfile = {
    type: "remote",
    name: environmentName,
    chosenBy: "environment",
    production: false,
    targets: addLegacyTarget({ public: { baseUrl, key } }),
    paths: {},
  };
  const { url, key: keyName } = environmentVariables.public;
  return {
    profile,
    address: baseUrl,
    identity: `${baseUrl} ${key}`,
    variables: { [url]: baseUrl, [keyName]: key },
  };
}

async function resolveProfileMember(
  { io, folders, keychain, secrets }: Session,
  name: string,
  profileName: string,
): Promise<MemberAccess> {
  const profile = await chooseProfile({ io, folders, keychain }, profileName, `profile of member ${name}`);
  const variables = { VOXCTL_PROFILE: profileName };
  if (profile.type === "offline") return { profile, address: profile.db, identity: profile.db, variables };
  const target = profile.targets.public;
  if (target === undefined) {
    const cause = profile.unreadable?.public?.error;
    throw keyMissing(
      `member ${name} has no key: ${cause?.message ?? `profile ${profileName} has no key for the Public API`}`,
      cause,
    );
  }
  secrets.add(target.key);
  return { profile, address: target.baseUrl, identity: `${target.baseUrl} ${target.key}`, variables };
}

function keyMissing(message: string, cause?: unknown): CliError {
  return new CliError({ exit: exits.authentication, code: "key_missing", message, cause });
}
