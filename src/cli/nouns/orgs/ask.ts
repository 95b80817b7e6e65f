import { type Fields, getText, isFields } from "../../../base/fields.js";
import { buildFlagWords } from "../../../base/shell-words.js";
import { askReference } from "../../derive/ask-reference.js";
import { confirmNew } from "../../derive/confirm-new.js";
import { usageError } from "../../errors/errors.js";
import { msp } from "../../session/references/organization.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { readLicenses } from "../licenses/read.js";

/**
 * Prompts for missing fields, asks for confirmation, and prints the equivalent command.
 * @param given values of the flags, including `set`
 * @throws refused error (12) if the user does not confirm, interrupted error (130)
 */
export async function askForOrganization(
  given: Fields,
  session: Session,
  { dryRun, set }: { dryRun: boolean; set: readonly string[] },
): Promise<Fields> {
  const { notes, prompts } = session;
  await session.connect({ mutates: !dryRun });
  notes.note("New organization:");
  const isCustomer =
    (given["type"] ??
      (await prompts.choose({
        message: "type:",
        choices: [
          { name: "msp", value: "msp", description: "A partner with its own license" },
          {
            name: "customer",
            value: "customer",
            description: "A customer of an MSP, with one of the MSP's licenses",
          },
        ],
      }))) === "customer";
  const text = async (field: string, message: string) =>
    getText(given, field) || (await prompts.text({ message, required: true }));
  const name = await text("name", "name:");
  const externalId = await text("externalOrganizationId", "external ID:");
  const shared = { type: isCustomer ? "customer" : "msp", name, externalOrganizationId: externalId };
  const flags: [string, string][] = [
    ["type", shared.type],
    ["name", name],
    ["external-id", externalId],
  ];
  const organization = isCustomer
    ? await askForCustomer(given, session, flags)
    : await askForMsp(given, session, flags);
  await confirmNew(session, {
    noun: "organization",
    dryRun,
    rows: flags,
    words: [
      ...["orgs", "create"],
      ...[...flags, ...set.map((text) => ["set", text] as const)].flatMap(([flag, value]) =>
        buildFlagWords(flag, value),
      ),
    ],
  });
  return { ...given, ...shared, ...organization };
}

async function askForMsp(given: Fields, { prompts }: Session, flags: [string, string][]): Promise<Fields> {
  const known = isFields(given["license"]) ? given["license"] : {};
  const externalLicenseId =
    getText(known, "externalLicenseId") || (await prompts.text({ message: "license ID:", required: true }));
  flags.push(["license", externalLicenseId]);
  const product =
    getText(known, "product") || (await prompts.text({ message: "license product (optional):" }));
  if (product !== "") flags.push(["product", product]);
  return { license: { externalLicenseId, ...(product === "" ? {} : { product }) } };
}

async function askForCustomer(given: Fields, session: Session, flags: [string, string][]): Promise<Fields> {
  // The parser didn't know the type yet and stored `--license` in the field for a new MSP.
  const license = isFields(given["license"]) ? given["license"] : {};
  if (getText(license, "product") !== "") throw usageError("--product can't be used with --type customer");
  const known = getText(license, "externalLicenseId");
  const parent = getText(given, "parentOrganizationId");
  const { value, words } =
    parent === "" ? await askReference(msp, "MSP:", session) : { value: parent, words: [parent] };
  flags.push(["parent", words[0] ?? value]);
  const externalLicenseId =
    getText(given, "externalLicenseId") || known || (await askForLicense(value, session));
  flags.push(["license", externalLicenseId]);
  return { license: undefined, parentOrganizationId: value, externalLicenseId };
}

/** If the licenses can't be read, prompts for an ID instead. */
async function askForLicense(parent: string, session: Session): Promise<string> {
  const { client } = await session.connect();
  const id = await resolveReference(client, msp, parent, "--parent", session);
  const available = await readLicenses(client, id, session).then(
    (licenses) => licenses.filter((license) => license["status"] === "available"),
    (error: unknown) => {
      if (session.signal.aborted) throw error;
      // Some keys can create organizations but can't read billing summaries.
      return [];
    },
  );
  if (available.length === 0) return session.prompts.text({ message: "license ID:", required: true });
  return session.prompts.choose({
    message: "license:",
    choices: available.map((license) => {
      const id = getText(license, "externalLicenseId");
      return { name: id, value: id, description: getText(license, "product") };
    }),
    search: true,
  });
}
