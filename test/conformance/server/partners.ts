import { createRefusal } from "./distributor.js";
import { type Fields, objectOf, type ServiceResponse } from "./exchange.js";
import { listVisible, type Page, toPage } from "./lists.js";
import type { Call, Handler } from "./service.js";
import { fieldsOf, type Row, type ServiceState, type Setting } from "./service-state.js";
import { createEmptySuccess, createPageResponse, createSuccess } from "./shapes.js";
import { stored } from "./values.js";

/**
 * Creates distributor API v1. Its document specifies only the path /health. All other paths follow the
 * decisions.
 */
export function createPartners(state: ServiceState, setting: Setting): Handler {
  const { behavior, now } = setting;

  function page(rows: readonly Row[], { query }: Call, path: string): ServiceResponse {
    const listPage: Page = toPage(
      listVisible(rows, setting),
      { limit: query.get("limit"), cursor: query.get("cursor") },
      behavior,
    );
    return createPageResponse(
      listPage.rows.map(({ fields }) => fields),
      listPage,
      path,
      behavior,
    );
  }

  function create(
    resource: string,
    idField: string,
    code: string,
    { body }: Call,
    more: Fields,
  ): ServiceResponse {
    const fields = objectOf(body);
    const id = fields[idField];
    if (typeof id !== "string" || id === "")
      throw createRefusal(400, "VALIDATION_ERROR", `${idField} is mandatory`);
    if (state.rows(resource).some((row) => fieldsOf(row)[idField] === id))
      throw createRefusal(409, code, "the id is taken");
    const { name, plan } = fields;
    const row = state.insert(
      resource,
      { ...more, ...stored({ name }, behavior), [idField]: id, plan, status: "active" },
      "client",
    );
    return createSuccess(fieldsOf(row), behavior, 201);
  }

  const partnerOf = (id: string | undefined) =>
    state.rows("partners").find((row) => fieldsOf(row)["externalPartnerId"] === id);
  const customerOf = (id: string | undefined) =>
    state.rows("customers").find((row) => fieldsOf(row)["externalCustomerId"] === id);

  function partners(call: Call): ServiceResponse | undefined {
    const { method, path } = call;
    const [, id, part] = path;
    if (id === undefined) {
      if (method === "GET") return page(state.everRows("partners"), call, "/partners");
      return method === "POST"
        ? create("partners", "externalPartnerId", "DUPLICATE_EXTERNAL_PARTNER_ID", call, {})
        : undefined;
    }
    const row = partnerOf(id);
    if (row === undefined) throw createRefusal(404, "PARTNER_NOT_FOUND", "there is no such partner");
    const customers = state.everRows("customers").filter((row) => fieldsOf(row)["externalPartnerId"] === id);
    if (part === "customers") {
      if (method === "GET") return page(customers, call, `/partners/${id}/customers`);
      const more = { externalPartnerId: id };
      return create("customers", "externalCustomerId", "DUPLICATE_EXTERNAL_CUSTOMER_ID", call, more);
    }
    if (part === "billing")
      return createSuccess(
        { externalPartnerId: id, month: call.query.get("month"), totals: { calls: 0 }, customers: [] },
        behavior,
      );
    if (method === "GET") return createSuccess(fieldsOf(row), behavior);
    if (method === "PATCH") {
      state.change(row, stored({ name: objectOf(call.body)["name"] }, behavior));
      return createSuccess(fieldsOf(row), behavior);
    }
    if (method !== "DELETE") return undefined;
    if (customers.some(({ deletedAt }) => deletedAt === undefined))
      throw createRefusal(409, "PARTNER_HAS_ORGANIZATIONS", "the partner has customers");
    state.remove(row);
    return createEmptySuccess(behavior);
  }

  function customers({ method, path, body }: Call): ServiceResponse | undefined {
    const row = customerOf(path[1]);
    if (row === undefined) throw createRefusal(404, "NOT_FOUND", "there is no such customer");
    if (path[2] === "plan" && method === "PUT") {
      state.change(row, { plan: objectOf(body)["plan"] });
      return createSuccess(fieldsOf(row), behavior);
    }
    if (method === "GET") return createSuccess(fieldsOf(row), behavior);
    if (method !== "DELETE") return undefined;
    state.remove(row);
    return createEmptySuccess(behavior);
  }

  return (call) => {
    const [name] = call.path;
    if (name === "health")
      return {
        status: 200,
        body: { status: "ok", version: "1.9", timestamp: new Date(now()).toISOString() },
      };
    if (name === behavior.partnersPath) return partners(call);
    if (name === "customers") return customers(call);
    return name === "usage" ? page([], call, "/usage") : undefined;
  };
}
