import * as z from "zod";
import { BulkError } from "../../../write/errors.js";
import type { PlanStep } from "../../../write/plan/format.js";
import type { PlanSource } from "../../../write/plan/read.js";

const Text = z.string().min(1);
/** An ID or a reference to an earlier step. Some services use numeric IDs. */
const Reference = z.union([
  Text,
  z.int().transform(String),
  z.strictObject({ $ref: z.int().positive() }).transform(({ $ref }) => $ref),
]);
/** ID of an organization, or number of the step that creates it. */
export type OrganizationReference = string | number;

const MspBody = z.strictObject({
  type: z.literal("msp"),
  name: Text,
  externalOrganizationId: Text,
  license: z.strictObject({ externalLicenseId: Text, product: Text.optional() }),
});
const CustomerBody = z.strictObject({
  type: z.literal("customer"),
  name: Text,
  externalOrganizationId: Text,
  parentOrganizationId: Reference,
  externalLicenseId: Text,
});
const CreateBody = z.discriminatedUnion("type", [MspBody, CustomerBody]);
const UpsertBody = z.strictObject({
  licenses: z
    .array(
      z.strictObject({
        externalLicenseId: Text,
        product: Text.optional(),
        status: z.enum(["available", "disabled"]).optional(),
      }),
    )
    .min(1),
});
const ReassignBody = z.strictObject({ externalLicenseId: Text });
const Path = z.strictObject({ organizationId: Reference });

export type OrganizationStep =
  | { step: PlanStep; op: "create"; body: z.output<typeof CreateBody> }
  | { step: PlanStep; op: "upsert"; msp: OrganizationReference; body: z.output<typeof UpsertBody> }
  | { step: PlanStep; op: "reassign"; target: OrganizationReference; license: string }
  | { step: PlanStep; op: "delete"; target: OrganizationReference };

/** @throws BulkError `plan_damaged` for a step that an organization plan can't contain */
export async function readSteps(plan: PlanSource): Promise<OrganizationStep[]> {
  const steps: OrganizationStep[] = [];
  for await (const entry of plan.entries()) if (entry.type === "step") steps.push(stepOf(plan, entry.step));
  return steps;
}

function stepOf(plan: Pick<PlanSource, "id">, step: PlanStep): OrganizationStep {
  try {
    return parsedStep(step);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new BulkError(
      "plan_damaged",
      `step ${step.step} of plan ${plan.id} is invalid: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
      "create the plan again",
      { cause: error },
    );
  }
}

function parsedStep(step: PlanStep): OrganizationStep {
  switch (step.op) {
    case "orgs.create":
      return { step, op: "create", body: CreateBody.parse(step.body) };
    case "licenses.upsert":
      return {
        step,
        op: "upsert",
        msp: Path.parse(step.path).organizationId,
        body: UpsertBody.parse(step.body),
      };
    case "licenses.reassign":
      return {
        step,
        op: "reassign",
        target: Path.parse(step.path).organizationId,
        license: ReassignBody.parse(step.body).externalLicenseId,
      };
    default:
      // `Plan.needs` has already rejected all other operations.
      return { step, op: "delete", target: Path.parse(step.path).organizationId };
  }
}
