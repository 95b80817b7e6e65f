import { inFile, type Mutant } from "./mutant.js";

/** Of what every request passes: keys, limits, paging, errors, faults; and of the emulator itself. */
export const kernelMutants: readonly Mutant[] = [
  ...inFile("emulator/kernel/limiter", [
    ["D-window", "now >= window.startedAt + length", "now > window.startedAt + length"],
    ["public.errors.2a", "const allowed = window.count < limit;", "const allowed = window.count <= limit;"],
    [
      "public.limits.override",
      "own?.[bucket] ?? this.overrides[bucket] ??",
      "this.overrides[bucket] ?? own?.[bucket] ??",
    ],
  ]),
  ...inFile("emulator/kernel/limiter", [
    ["D-window-counted", "if (window.count > 1) {", "if (window.count > 0) {"],
  ]),
  ...inFile("emulator/kernel/cursor", [
    [
      "public.general.9b",
      "if (!timingSafeEqual(bytes.subarray(0, macBytes), sign(key, scope, payload))) return undefined;",
      "",
    ],
    ["D-cursor", "scope.operation,\n        scope.owner,", "scope.owner,"],
  ]),
  ...inFile("emulator/kernel/table", [
    ["public.general.9a", '"id > ?"];', '"id >= ?"];'],
    [
      "public.errors.4",
      "WHERE id = ? AND organization_id = ?`;",
      "WHERE id = ? AND organization_id IS NOT ?`;",
    ],
    ["public.general.5a", 'resource["created_at"] = isoTime(', 'resource["createdAt"] = isoTime('],
    [
      "public.auth.2",
      'const conditions = ["organization_id = ?",',
      'const conditions = ["(organization_id = ? OR TRUE)",',
    ],
    ["D-times", "updated_at = ? WHERE id = ?", "updated_at = coalesce(updated_at, ?) WHERE id = ?"],
  ]),
  ...inFile("emulator/kernel/keys", [
    ["D-roles", 'permission !== "call_logs.call_recording:delete"', "true"],
    [
      "public.auth.5",
      'case "viewer":\n      return action === "read";',
      'case "viewer":\n      return true;',
    ],
  ]),
  ...inFile("emulator/kernel/ids", [["D-id", 'hex(Number(row["id_seconds"]), 8)', '"00000000"']]),
  ...inFile("emulator/kernel/faults", [
    ["emulator.faults", "fault.matched > fault.skip", "fault.matched >= fault.skip"],
  ]),
  ...inFile("emulator/public/surface", [
    ["public.auth.4", 'key.status === "active" &&', ""],
    ["public.auth.6", '["public_api", operation.feature]', '["public_api"]'],
    ["D-features", 'organization?.status === "blocked"', "false"],
    ["public.limits.2", '"X-RateLimit-Remaining": String(state.remaining),', ""],
    ["public.errors.2a", '{ "Retry-After": String(secondsUntil(state.endsAt, now)) }', "{}"],
    ["public.general.4", "message: refusal.message, details", "details"],
    ["D-error", "refusal.message, details: refusal.details", "refusal.message"],
    ["public.auth.3", '(key.kind === "public" || key.kind === "legacy") &&', 'key.kind === "public" &&'],
    ["D-keys", "(key.expiresAt === null || now < key.expiresAt);", "true;"],
  ]),
  ...inFile("emulator/input", [
    [
      "D-strict",
      "parseWith(operation.body, value, policy.words);\n  if (!result.ok) throw",
      'parseWith(operation.body, value, policy.words);\n  if (!result.ok && result.problems.rule !== "D-strict") throw',
    ],
    ["D-body", 'if (type !== "application/json" &&', "if (type === undefined &&"],
    ["D-nesting", "maximumNesting = 500", "maximumNesting = 501"],
    [
      "D-path-id",
      'throw route.policy.invalid("path", result.problems.rule, details);',
      'if (route.operation.body) throw route.policy.invalid("path", result.problems.rule, details);',
    ],
  ]),
  ...inFile("emulator/envelope", [
    ["D-empty", "return wrap({});", "return wrap(null);"],
    ["emulator.explain", '"X-Emulator-Rule": refusal.rule,', ""],
    ["public.general.2", 'envelope === "data" ? { data } :', 'envelope === "data" ? { result: data } :'],
    ["public.general.3", "[meta.hasMore]: cursor !== null", "[meta.hasMore]: true"],
    ["D-v2-envelope", '{ status: "success", data });', "{ data });"],
    ["public.endpoints.crud", "status: route.operation.success,", "status: 200,"],
  ]),
  ...inFile("emulator/admission", [
    [
      "public.errors.3",
      'if (world.faults.strike("limiter_down", target, now)) {',
      'if (world.faults.strike("limiter_down", target, now)) {\n      return caller;',
    ],
    [
      "public.limits.3",
      "throw policy.limiterDown();",
      "progress.limitHeaders = policy.limitHeaders({ limit: 1, remaining: 0, endsAt: now, allowed: false }, now);\n      throw policy.limiterDown();",
    ],
  ]),
  ...inFile("emulator/policy", [
    ["public.limits.per-key", "scope: key.id, bucket", 'scope: "everybody", bucket'],
  ]),
  ...inFile("emulator/pipeline", [
    [
      "mirror.unknown-field",
      "if (field === undefined) throw error;",
      "if (field === undefined || sent) throw error;",
    ],
    [
      "D-order",
      "    if (caller) policy.permit(caller, operation);\n    const input = inputOf(world, route, parameters, request);\n",
      "    const input = inputOf(world, route, parameters, request);\n    if (caller) policy.permit(caller, operation);\n",
    ],
    [
      "public.errors.6",
      'if (strikes("error_before")) {',
      'if (strikes("error_before")) {\n    handle(world, route, parameters, request, target, progress);',
    ],
  ]),
  ...inFile("emulator/control/policy", [
    [
      "emulator.control",
      "token !== undefined && timingSafeEqual(digestOf(token), digestOf(world.controlToken))",
      "token !== undefined",
    ],
  ]),
  ...inFile("emulator/kernel/log-masks", [
    ["emulator.log", "secret|key|token|password|auth", "secret|key|token|auth"],
  ]),
  ...inFile("emulator/kernel/clock", [
    [
      "public.general.6",
      "return new Date(milliseconds).toISOString();",
      'return new Date(milliseconds).toISOString().replace("Z", "+00:00");',
    ],
  ]),
  ...inFile("emulator/kernel/organizations", [
    [
      "D-org",
      "for (const type of groupTypes) insertGroup",
      "for (const type of groupTypes.slice(1)) insertGroup",
    ],
  ]),
  ...inFile("emulator/kernel/snapshots", [
    ["emulator.snapshots", 'new Set(["id"])', 'new Set(["id", "clock_frozen"])'],
  ]),
  ...inFile("emulator/control/clock", [
    [
      "emulator.clock",
      "Math.round((body.advance_seconds ?? 0) * 1_000_000) / 1000",
      "Math.floor(body.advance_seconds ?? 0) * 1000",
    ],
  ]),
  ...inFile("emulator/validation", [
    ["D-number-form", "/^\\d+(\\.0+)?$/", "/\\d/"],
    ["public.errors.1", "problems.add(() => [issue.path, isMissing", "problems.add(() => [[], isMissing"],
  ]),
  ...inFile("emulator/description", [
    ["D-method", 'request.method === "GET" && partOf', "partOf"],
    [
      "public.auth.1",
      'request.method === "GET" && partOf',
      'request.method === "GET" && request.headers["authorization"] !== undefined && partOf',
    ],
    ["D-docs", "(?:json|yaml)", "(?:json)"],
  ]),
  ...inFile("emulator/mcp/policy", [
    ["public.limits.4", ", { scope: organization.id, bucket, name, limits: null }]", "]"],
    [
      "D-mcp",
      "for (const permission of permissions) if (isPermitted(key, permission)) return;",
      "if (permissions) return;",
    ],
  ]),
  ...inFile("emulator/mcp/endpoint", [
    ["public.errors.5", "isError: record.status >= 400", "isError: false"],
  ]),
  ...inFile("emulator/control/keys", [["legacy.keys", "creator: key.creator,", ""]]),
  ...inFile("client/parsing", [["D-legacy-error", 'body["errorCode"], body["code"]', 'body["errorCode"]']]),
];
