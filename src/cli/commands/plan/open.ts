/** How commands are told of a plan's file. */
import { resolve } from "node:path";
import type { Plan } from "../../../bulk/plan/read.js";
import { usageError } from "../../errors/errors.js";
import type { Argument, Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";

export const planArgument: Argument = {
  name: "plan",
  description: "the plan's file; one whose name ends in .gz is unpacked",
};

export const encryptFlag: Flag = {
  name: "encrypt-env",
  value: "variable",
  description: "the environment variable that holds the passphrase of an encrypted plan",
};

/** @throws usage error (2) for a variable that is not set; BulkError as `openPlan` */
export async function openPlanOf(session: Session, input: Input): Promise<Plan> {
  const { openPlan } = await import("../../../bulk/plan/index.js");
  const [file = ""] = input.arguments;
  return openPlan(resolve(session.io.cwd, file), { passphrase: readPassphrase(session, input) });
}

/** The passphrase that a plan is encrypted with; undefined where it is not. */
function readPassphrase({ io, secrets }: Session, input: Input): string | undefined {
  const variable = input.text("encrypt-env");
  if (variable === undefined) return undefined;
  const passphrase = io.env[variable];
  if (passphrase === undefined || passphrase === "")
    throw usageError(
      `--encrypt-env: ${variable} is ${passphrase === "" ? "empty" : "not set"}; nothing was read or sent`,
    );
  secrets.add(passphrase);
  return passphrase;
}
