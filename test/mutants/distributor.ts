import { inFile, type Mutant } from "./mutant.js";

/** Of the distributor interfaces and the legacy one. */
export const distributorMutants: readonly Mutant[] = [
  ...inFile("emulator/distributor/lifecycle", [
    ["v2.license.reassign", "release(context, organization);\n  assign", "assign"],
    ["v2.license.delete", "release(context, organization);\n  deleteOrganization", "deleteOrganization"],
    ["v2.license.disable", "if (license.assignedId !== null) block(context, license.assignedId);", ""],
    ["D-v2-licenses", 'license.assignedId === null ? "available" : "assigned"', '"available"'],
    [
      "v2.license.states",
      'setLicense(context, license.id, "assigned", organizationId);',
      'setLicense(context, license.id, "disabled", organizationId);',
    ],
    ["v2.create.customer", 'if (license.status !== "available")\n', 'if (license.status === "disabled")\n'],
    ["D-v2-reassign", 'license.status === "disabled" ? "disabled" : "available", null', '"available", null'],
    [
      "D-v2-create",
      "if (existing) throw notAvailable(",
      "if (existing?.ownerId === values.ownerId) throw notAvailable(",
    ],
  ]),
  ...inFile("emulator/distributor/orgs", [
    ["v2.delete.msp", "if (child) {", "if (!child && false) {"],
    ["v2.duplicate", "if (!isExternalIdTaken(context, externalId)) return;", "return;"],
    ["v2.create.msp", "assign(context, created, id);", ""],
    ["v2.tree", "customers: children.get(msp.id) ?? []", "customers: []"],
    ["v2.list", "type: filters.type,\n", ""],
    ["D-v2-list", "parent_id: filters.parentOrganizationId,\n", ""],
    ["D-v2-tree", "WHERE distributor_id = ? ORDER BY id`", "WHERE distributor_id = ? ORDER BY id DESC`"],
  ]),
  ...inFile("emulator/distributor/partners", [
    ["v1.partner.delete", "if (partner.organizationId !== null) {", "if (partner.organizationId === null) {"],
    ["v1.partner.duplicate", "if (known || isExternalIdTaken(context, externalId))", "if (!externalId)"],
    ["v1.plan", "if (billed.length === 0) {", "if (billed.length < 0) {"],
    ["D-v1-link", "if (known || isExternalIdTaken(context, externalId))", "if (known)"],
    ["v1.partner.not-found", 'refuse("PARTNER_NOT_FOUND"', 'refuse("NOT_FOUND"'],
    ["D-v1-partner", "if (organizationId === null) throw", "if (organizationId === undefined) throw"],
    [
      "v1.org-creation",
      'if (context.strikes("org_creation_failure")) {',
      'if (context.strikes("org_creation_failure") && externalId === "") {',
    ],
    ["v1.parallel", 'provisionOrganization(context, { type: "msp", name, externalId });', ""],
    ["D-v1-usage", "externalCustomerId: isCustomer ? externalId : null,", "externalCustomerId: externalId,"],
    [
      "D-v1-paths",
      "UPDATE organizations SET name = ?, updated_at = ? WHERE id = ?",
      "UPDATE organizations SET name = name, updated_at = max(0, length(?1) * 0 + ?2) WHERE id = ?3",
    ],
  ]),
  ...inFile("emulator/distributor/surface", [
    ["dist.auth.expired", "key.expiresAt !== null && now >= key.expiresAt", "key.expiresAt === null"],
    ["dist.auth.version", "!caller.key.versions?.has(version)", "!caller.key.versions"],
    [
      "dist.auth.permission",
      "permissions && !permissions.has(operation.permission)",
      "permissions && permissions.size === 0",
    ],
    ["dist.limits.2", '"Retry-After": String(secondsUntil(state.endsAt, now)),', ""],
    ["dist.auth.missing", 'unauthorized("INVALID_API_KEY"', 'unauthorized("MISSING_API_KEY"'],
    ["dist.limits.3", 'refuse("RATE_LIMIT_UNAVAILABLE"', 'refuse("RATE_LIMITED"'],
    ["dist.limits.4", '"RATE_LIMITED",\n', '"RATE_LIMIT_UNAVAILABLE",\n'],
    [
      "v1.errors.flat",
      '({ status: "error", errorCode: refusal.code, message: refusal.message })',
      "({ error: { code: refusal.code, message: refusal.message } })",
    ],
    ["v1.errors.validation", 'return "VALIDATION_ERROR";', 'return "INVALID_ID";'],
    [
      "v1.errors.id",
      'if (place === "path") return "INVALID_ID";',
      'if (place === "path") return "NOT_FOUND";',
    ],
    ["D-v2-order", 'if (place === "query" && idFilters.has(field)) return "INVALID_ID";', ""],
    ["v1.plan", 'if (place === "body" && rule === "v1.plan") return "INVALID_PLAN";', ""],
  ]),
  ...inFile("emulator/distributor/customers", [
    [
      "D-cursor-first",
      "    const position = positionIn(context, query.cursor, filters);\n    const partner = requirePartner(context, path.externalPartnerId);\n",
      "    const partner = requirePartner(context, path.externalPartnerId);\n    const position = positionIn(context, query.cursor, filters);\n",
    ],
    ["v1.customer.duplicate", "if (isExternalIdTaken(context, externalId)) {", "if (!externalId) {"],
    [
      "v1.errors.not-found",
      "WHERE distributor_id = ? AND external_id = ?",
      "WHERE ?1 IS NOT NULL AND external_id = ?2",
    ],
    ["D-v1-customer", "if (plan !== undefined) setPlan(context, id, plan);", ""],
    ["D-v1-plan", "setPlan(context, customer.organizationId, body.plan);", ""],
  ]),
  ...inFile("contract/legacy/legacy", [
    ["legacy.details", "maximumWords = 1000", "maximumWords = 999"],
    ["legacy.german", 'number.startsWith("+49")', 'number.startsWith("+4")'],
    ["D-legacy-words", "text.match(/\\S+/g)?.length ?? 0", "text.split(/\\s/).length"],
  ]),
  ...inFile("emulator/legacy/legacy", [
    [
      "D-fault-late",
      "const assistant = callingAssistant(row);",
      'const assistant = callingAssistant(row);\n    context.strikes("call_failure");',
    ],
    [
      "legacy.assistant",
      "WHERE phone_number = ? AND organization_id = ?",
      "WHERE phone_number = ? AND organization_id IS NOT NULL AND ? IS NOT NULL",
    ],
    [
      "legacy.call",
      "targetPhoneNumber: body.targetPhoneNumber,",
      "targetPhoneNumber: body.assistantPhoneNumber,",
    ],
    [
      "legacy.failed",
      'if (context.strikes("call_failure")) {',
      'if (context.strikes("call_failure") && row === undefined) {',
    ],
    ["legacy.health", "version: interfaceVersion,", ""],
    ["D-legacy-health", 'status: "ok",', 'status: "up",'],
  ]),
  ...inFile("emulator/legacy/surface", [
    ["legacy.auth", 'key.status === "active" &&', ""],
    [
      "legacy.phone-format",
      'if (place === "body" && rule === "legacy.phone-format") return "INVALID_PHONE_FORMAT";',
      "",
    ],
    [
      "D-legacy-limit",
      'if (caller.organization?.status === "blocked") {',
      "if (caller.organization?.status === undefined) {",
    ],
  ]),
  ...inFile("contract/distributor/health", [["v1.health", "    keyless: true,\n", ""]]),
  ...inFile("contract/distributor/orgs", [
    [
      "v2.create",
      "    externalOrganizationId: ExternalId,\n    // v2.create.msp",
      '    externalOrganizationId: ExternalId.default("x"),\n    // v2.create.msp',
    ],
    ["D-v2-permissions", 'area: "organizations"', 'area: "licenses"'],
  ]),
  ...inFile("contract/distributor/partners", [["D-v1-permissions", 'area: "partners"', 'area: "customers"']]),
  ...inFile("contract/distributor/primitives", [
    ["D-v2-org", "[A-Za-z0-9._:-]{1,128}", "[A-Za-z0-9._:@ -]{1,128}"],
    ["D-v1-id", "[A-Za-z0-9._:-]{1,128}", "[A-Za-z0-9._:-]{1,129}"],
  ]),
  ...inFile("emulator/distributor/licenses", [
    [
      "v2.licenses.upsert",
      "if (wanted.product !== undefined && wanted.product !== license.product) {",
      "if (wanted.product === license.product) {",
    ],
    ["D-v2-licenses", 'if (msp.type !== "msp") {', "if (msp.type === undefined) {"],
  ]),
  ...inFile("emulator/distributor/counting", [
    ["v2.usage", "coalesce(sum(calls.duration_seconds), 0) AS duration", "0 AS duration"],
    ["D-v2-usage", "maximumDays = 92", "maximumDays = 93"],
    ["v1.errors.range", 'throw refuse("INVALID_DATE_RANGE"', 'throw refuse("DATE_RANGE_TOO_LARGE"'],
    ["D-v2-billing", "end: firstOf(year, number) }", "end: firstOf(year, number + 1) }"],
  ]),
  ...inFile("emulator/distributor/usage", [
    ["v2.billing", "totals: sumOf(billed)", "totals: sumOf([])"],
    ["D-billing-self", "ORDER BY parent_id = ?, id", "ORDER BY parent_id = ? DESC, id"],
    ["D-usage-order", "ORDER BY date, organizations.id LIMIT", "ORDER BY organizations.id, date LIMIT"],
  ]),
  ...inFile("emulator/database/schema/distributors", [
    ["D-v1-shared", "coalesce(msp.name, partner.name) AS name", "partner.name"],
  ]),
  ...inFile("emulator/distributor/organizations", [
    ["D-v2-delete", ".run(id);\n  forgetOrganizations(context);", ".run(id);"],
    [
      "D-link",
      ".run(context.distributorId, values.type, values.parentId ?? null, values.externalId, id);",
      ".run(context.distributorId, values.type, values.parentId ?? null, values.externalId, id);\n  context.database.prepare(\"UPDATE organizations SET features = '[]' WHERE id = ?\").run(id);",
    ],
  ]),
];
