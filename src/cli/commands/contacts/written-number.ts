import { E164 } from "../../../contract/primitives.js";
import type { Written } from "../../derive/ask.js";
import { readTypedPhone } from "../../session/references/typed-phone.js";
import type { Session } from "../../session/session.js";

/**
 * A phone number as it is sent, of what a person types: `+49 171 2345678`, or `0171 2345678` with the profile's country,
 * which is to be said. What is no certain number stays as it is, for the check to refuse.
 * @throws usage error (2) where the profile's country is none
 */
export async function readWrittenNumber(typed: string, flag: string, session: Session): Promise<Written> {
  if (E164.safeParse(typed).success) return { value: typed };
  const profile = await session.profile();
  const { number, country } = await readTypedPhone(typed, profile);
  if (number === undefined || country === undefined) return { value: number ?? typed };
  const by = `by the country ${country} of the profile ${profile.name}`;
  return { value: number, note: `${flag} ${typed}: taken as ${number}, ${by}` };
}
