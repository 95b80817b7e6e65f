import { type Fields, isFields, objectOf, Refusal, type ServiceResponse } from "./exchange.js";
import { listVisible, toPage } from "./lists.js";
import type { Call, Handler } from "./service.js";
import { fieldsOf, type Row, type ServiceState, type Setting } from "./service-state.js";
import { createEmptySuccess, createPageResponse, createSuccess, idOf } from "./shapes.js";
import { formatBilling, listUsage } from "./usage.js";
import { shown, stored } from "./values.js";

/** Creates distributor API v2. Paths and bodies that the document doesn't specify follow the decisions. */
export function createDistributor(state: ServiceState, setting: Setting): Handler {
  const { behavior } = setting;
  const organizations = () => state.rows("organizations");
  const licenses = () => state.rows("licenses");
  const licenseOf = (externalId: unknown) =>
    licenses().find((row) => fieldsOf(row)["externalLicenseId"] === externalId);

  function view(row: Row, inList = false, fields = fieldsOf(row)): Fields {
    const { created_at, updated_at, id: _, ...otherFields } = shown(row, behavior, inList, fields);
    const parent = fields["parentOrganizationId"];
    return {
      [behavior.idName]: idOf(row.id, behavior),
      ...otherFields,
      ...(typeof parent === "string" ? { parentOrganizationId: idOf(parent, behavior) } : {}),
      ...(created_at === undefined ? {} : { createdAt: created_at }),
      ...(updated_at === undefined ? {} : { updatedAt: updated_at }),
    };
  }

  function licenseView(row: Row): Fields {
    const { externalLicenseId, product, status, owner, holder } = fieldsOf(row);
    return {
      externalLicenseId,
      product,
      status,
      ownerOrganizationId: idOf(String(owner), behavior),
      assignedOrganizationId: typeof holder === "string" ? idOf(holder, behavior) : null,
    };
  }

  function list({ query }: Call): ServiceResponse {
    const filters = behavior.ignoresFilters
      ? []
      : ["type", "parentOrganizationId", "externalOrganizationId", "status"];
    const all = listVisible(state.everRows("organizations"), setting).filter(({ fields }) =>
      filters.every((name) => query.get(name) === null || query.get(name) === String(fields[name])),
    );
    const page = toPage(
      all,
      { limit: query.get("limit"), cursor: cursorOf(query, behavior.paging) },
      behavior,
    );
    const rows = page.rows.map(({ row, fields }) => view(row, true, fields));
    return createPageResponse(rows, page, "/organizations", behavior);
  }

  function tree(): ServiceResponse {
    const of = (type: string) => organizations().filter((row) => fieldsOf(row)["type"] === type);
    const data = of("msp").map((msp) => ({
      ...view(msp),
      [behavior.treeChildren]: of("customer")
        .filter((row) => fieldsOf(row)["parentOrganizationId"] === msp.id)
        .map((row) => view(row)),
    }));
    return createSuccess(data, behavior);
  }

  function create({ body }: Call): ServiceResponse {
    const fields = objectOf(body);
    const { type, name, externalOrganizationId } = fields;
    if (type !== "msp" && type !== "customer")
      throw createRefusal(400, "VALIDATION_ERROR", "type must be msp or customer");
    if (typeof externalOrganizationId !== "string" || externalOrganizationId === "")
      throw createRefusal(400, "VALIDATION_ERROR", "externalOrganizationId is mandatory");
    if (organizations().some((row) => fieldsOf(row)["externalOrganizationId"] === externalOrganizationId))
      throw createRefusal(409, "DUPLICATE_EXTERNAL_ORGANIZATION_ID", "the external id is taken");
    const common = {
      ...stored({ name }, behavior),
      type,
      externalOrganizationId,
      status: "active",
      blockedReason: null,
    };
    const filled = behavior.fillsDefaults ? { billingContact: "", language: "de" } : {};
    if (type === "msp") {
      const license = isFields(fields["license"]) ? fields["license"] : {};
      const { externalLicenseId, product } = license;
      if (licenseOf(externalLicenseId) !== undefined)
        throw createRefusal(409, "LICENSE_NOT_AVAILABLE", "the license is taken");
      const row = state.insert("organizations", { ...filled, ...common, externalLicenseId }, "client");
      state.insert(
        "licenses",
        { externalLicenseId, product, status: "assigned", owner: row.id, holder: row.id },
        "client",
      );
      return createSuccess(view(row), behavior, 201);
    }
    const parent = organizationOf(fields["parentOrganizationId"]);
    if (parent === undefined || fieldsOf(parent)["type"] !== "msp")
      throw createRefusal(404, "NOT_FOUND", "there is no such MSP");
    const license = licenseOf(fields["externalLicenseId"]);
    if (license === undefined || fieldsOf(license)["owner"] !== parent.id)
      throw createRefusal(404, "LICENSE_NOT_FOUND", "the MSP has no such license");
    if (fieldsOf(license)["status"] !== "available")
      throw createRefusal(409, "LICENSE_NOT_AVAILABLE", "the license is taken");
    const externalLicenseId = fieldsOf(license)["externalLicenseId"];
    const row = state.insert(
      "organizations",
      { ...filled, ...common, externalLicenseId, parentOrganizationId: parent.id },
      "client",
    );
    state.change(license, { status: "assigned", holder: row.id });
    return createSuccess(view(row), behavior, 201);
  }

  /** In a body, an ID can be a number, or a string with the same digits. */
  function organizationOf(id: unknown): Row | undefined {
    return typeof id === "string" || typeof id === "number"
      ? state.get("organizations", String(id))
      : undefined;
  }

  function remove(row: Row): ServiceResponse {
    const { type } = fieldsOf(row);
    if (
      type === "msp" &&
      organizations().some((candidate) => fieldsOf(candidate)["parentOrganizationId"] === row.id)
    )
      throw createRefusal(409, "ORGANIZATION_HAS_CHILDREN", "the MSP still has customers");
    for (const license of licenses()) {
      const { holder, owner, status } = fieldsOf(license);
      // The customer's license is released (dist.states). The documents don't define what happens to an MSP's
      // license.
      if (owner === row.id && !behavior.keepsLicensesOfDeleted) state.remove(license);
      else if (holder === row.id)
        state.change(license, { holder: null, ...(status === "assigned" ? { status: "available" } : {}) });
    }
    state.remove(row);
    return createEmptySuccess(behavior);
  }

  function upsert(row: Row, { body }: Call): ServiceResponse {
    if (fieldsOf(row)["type"] !== "msp")
      throw createRefusal(400, "VALIDATION_ERROR", "a customer owns no licenses");
    const requested = objectOf(body)["licenses"];
    if (!Array.isArray(requested)) throw createRefusal(400, "VALIDATION_ERROR", "licenses must be a list");
    for (const entry of requested) {
      const { externalLicenseId, product, status } = isFields(entry) ? entry : {};
      const license = licenseOf(externalLicenseId);
      if (license === undefined) {
        state.insert(
          "licenses",
          { externalLicenseId, product, status: status ?? "available", owner: row.id, holder: null },
          "client",
        );
        continue;
      }
      if (fieldsOf(license)["owner"] !== row.id)
        throw createRefusal(409, "LICENSE_NOT_AVAILABLE", "another MSP owns it");
      const { holder } = fieldsOf(license);
      const held = organizationOf(holder);
      if (product !== undefined) state.change(license, { product });
      if (status === "disabled") {
        state.change(license, { status });
        if (held) state.change(held, { status: "blocked", blockedReason: "license_disabled" });
      } else if (status === "available" && fieldsOf(license)["status"] === "disabled") {
        state.change(license, { status: held ? "assigned" : "available" });
        if (held) state.change(held, { status: "active", blockedReason: null });
      }
    }
    const own = licenses().filter((license) => fieldsOf(license)["owner"] === row.id);
    return createSuccess(own.map(licenseView), behavior);
  }

  function reassign(row: Row, { body }: Call): ServiceResponse {
    const license = licenseOf(objectOf(body)["externalLicenseId"]);
    const { parentOrganizationId } = fieldsOf(row);
    if (license === undefined || fieldsOf(license)["owner"] !== (parentOrganizationId ?? row.id))
      throw createRefusal(404, "LICENSE_NOT_FOUND", "the MSP has no such license");
    if (fieldsOf(license)["status"] !== "available")
      throw createRefusal(409, "LICENSE_NOT_AVAILABLE", "the license is taken");
    for (const otherLicense of licenses()) {
      const { holder, status } = fieldsOf(otherLicense);
      if (holder === row.id)
        state.change(otherLicense, {
          holder: null,
          ...(status === "assigned" ? { status: "available" } : {}),
        });
    }
    state.change(license, { status: "assigned", holder: row.id });
    const { externalLicenseId } = fieldsOf(license);
    state.change(row, { externalLicenseId, status: "active", blockedReason: null });
    return createSuccess(view(row), behavior);
  }

  return (call) => {
    const { method, path } = call;
    const [name, id, part] = path;
    if (name === "usage" && method === "GET") return listUsage(state, setting, call);
    if (name !== "organizations") return undefined;
    if (id === undefined) return method === "GET" ? list(call) : method === "POST" ? create(call) : undefined;
    if (id === "tree" && method === "GET") return tree();
    const row = state.get("organizations", id);
    const deletes = behavior.deletePath === "/organizations/{id}" ? part === undefined : part === "deletion";
    const known =
      (method === "DELETE" && deletes) ||
      part === "licenses" ||
      part === "license" ||
      part === "billing-summary";
    if (!known) return undefined;
    if (row === undefined) throw createRefusal(404, "NOT_FOUND", "there is no such organization");
    if (method === "DELETE") return remove(row);
    if (part === "licenses" && method === "PATCH") return upsert(row, call);
    if (part === "license" && method === "PATCH") return reassign(row, call);
    return part === "billing-summary" && method === "GET"
      ? formatBilling(state, setting, row, call)
      : undefined;
  };
}

function cursorOf(query: URLSearchParams, paging: string): string | null {
  return paging === "next token" || paging === "pages" || paging === "total" || paging === "isLast"
    ? null
    : query.get("cursor");
}

export function createRefusal(status: number, code: string, message: string): Refusal {
  return new Refusal(status, code, message);
}
