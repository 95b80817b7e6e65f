import * as z from "zod";
import { duration, fields, openStrictFile, scalar, text } from "../../base/strict-file.js";

/** Cases that are tested with every receiver, in addition to the file's cases. */
const standardCases = [
  "no_auth",
  "wrong_auth",
  "malformed_body",
  "unknown_fields",
  "repeated",
  "concurrent_20",
  "slow_client",
] as const;
export type StandardCase = (typeof standardCases)[number];

const size = z.union([z.string(), z.number()], "must be a size such as 32KiB").transform((value, context) => {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*(|B|kB|KiB|MiB)$/.exec(String(value)) ?? [];
  const units: Readonly<Record<string, number>> = { "": 1, B: 1, kB: 1_000, KiB: 1_024, MiB: 1_048_576 };
  if (number !== undefined) return Number(number) * (units[unit] ?? 1);
  context.issues.push({
    code: "custom",
    input: value,
    message: `invalid size "${value}": expected a size such as 32KiB`,
  });
  return z.NEVER;
});

const JsonSchema = z.unknown().transform((value, context) => {
  try {
    return z.fromJSONSchema(z.record(z.string(), z.json()).parse(value));
  } catch (error) {
    const why =
      error instanceof z.ZodError ? "must be a JSON Schema" : error instanceof Error ? error.message : "";
    context.issues.push({
      code: "custom",
      input: value,
      message: `unsupported JSON Schema: ${why}`,
    });
    return z.NEVER;
  }
});

const ContractFile = fields({
  version: z.literal(1, "must be 1: newer versions require a newer voxctl"),
  url: text.optional(),
  auth: fields({
    type: z.enum(["none", "bearer", "basic", "api_key"], "must be none, bearer, basic or api_key"),
    username: text.optional(),
    header_name: text.optional(),
    secret: fields({ from: text }).optional(),
  }).optional(),
  limits: fields({ time: duration.optional(), bytes: size.optional() }).optional(),
  response: fields({ schema: JsonSchema }).optional(),
  cases: z
    .array(
      fields({
        name: text,
        request: z.record(z.string(), z.unknown(), "must be a mapping of body fields").default({}),
        expect: fields({
          status: z.int("must be a status code such as 200").optional(),
          json: z.unknown().optional(),
          text: scalar.optional(),
        }).optional(),
      }),
      "must be a list",
    )
    .default([]),
  standard: z
    .array(z.enum(standardCases, `must be one of ${standardCases.join(", ")}`), "must be a list")
    .default([]),
});

export interface Contract {
  url: string | undefined;
  auth: z.output<typeof ContractFile>["auth"];
  timeMilliseconds: number;
  bytes: number;
  /** Undefined if any response is valid. */
  response: z.ZodType | undefined;
  cases: readonly (z.output<typeof ContractFile>["cases"][number] & { line: number })[];
  standard: readonly StandardCase[];
}

/** @throws InputError with all errors and their lines */
export async function parseContract(
  content: string,
  { file, env }: { file: string; env: Readonly<Record<string, string | undefined>> },
): Promise<Contract> {
  const read = await openStrictFile(content, { file, env });
  const parsed = read.parse(ContractFile);
  const names = new Set<string>();
  for (const [index, { name }] of (parsed?.cases ?? []).entries()) {
    if (names.has(name))
      read.problems.push({ path: ["cases", index, "name"], message: "another case has the same name" });
    names.add(name);
  }
  if (parsed && parsed.cases.length + parsed.standard.length === 0)
    read.problems.push({ path: ["cases"], message: "missing test cases: add cases or standard" });
  if (parsed === undefined || read.problems.length > 0) throw read.failure();
  return {
    url: parsed.url,
    auth: parsed.auth,
    timeMilliseconds: parsed.limits?.time ?? 5_000,
    bytes: parsed.limits?.bytes ?? 65_536,
    response: parsed.response?.schema,
    cases: parsed.cases.map((contractCase, index) => ({
      ...contractCase,
      line: read.lineOf(["cases", index]) ?? 1,
    })),
    standard: parsed.standard,
  };
}
