import { refused } from "./distributor.js";
import { type Answer, type Fields, objectOf } from "./exchange.js";
import { listed, type Page, pageOf } from "./lists.js";
import type { Call, Handler } from "./service.js";
import { emptySuccess, pageAnswer, success } from "./shapes.js";
import { stored } from "./values.js";
import { fieldsOf, type Row, type Setting, type World } from "./world.js";

/** Distributor API v1. Its document shows no path but /health; these are the decisions'. */
export function createPartners(world: World, setting: Setting): Handler {
  const { behaviour, now } = setting;

  function page(rows: readonly Row[], { query }: Call, path: string): Answer {
    const found: Page = pageOf(
      listed(rows, setting),
      { limit: query.get("limit"), cursor: query.get("cursor") },
      behaviour,
    );
    return pageAnswer(
      found.rows.map(({ fields }) => fields),
      found,
      path,
      behaviour,
    );
  }

  function create(kind: string, idField: string, code: string, { body }: Call, more: Fields): Answer {
    const fields = objectOf(body);
    const id = fields[idField];
    if (typeof id !== "string" || id === "")
      throw refused(400, "VALIDATION_ERROR", `${idField} is mandatory`);
    if (world.rows(kind).some((row) => fieldsOf(row)[idField] === id))
      throw refused(409, code, "the id is taken");
    const { name, plan } = fields;
    const row = world.insert(
      kind,
      { ...more, ...stored({ name }, behaviour), [idField]: id, plan, status: "active" },
      "client",
    );
    return success(fieldsOf(row), behaviour, 201);
  }

  const partnerOf = (id: string | undefined) =>
    world.rows("partners").find((row) => fieldsOf(row)["externalPartnerId"] === id);
  const customerOf = (id: string | undefined) =>
    world.rows("customers").find((row) => fieldsOf(row)["externalCustomerId"] === id);

  function partners(call: Call): Answer | undefined {
    const { method, path } = call;
    const [, id, part] = path;
    if (id === undefined) {
      if (method === "GET") return page(world.everRows("partners"), call, "/partners");
      return method === "POST"
        ? create("partners", "externalPartnerId", "DUPLICATE_EXTERNAL_PARTNER_ID", call, {})
        : undefined;
    }
    const row = partnerOf(id);
    if (row === undefined) throw refused(404, "PARTNER_NOT_FOUND", "there is no such partner");
    const customers = world.everRows("customers").filter((one) => fieldsOf(one)["externalPartnerId"] === id);
    if (part === "customers") {
      if (method === "GET") return page(customers, call, `/partners/${id}/customers`);
      const more = { externalPartnerId: id };
      return create("customers", "externalCustomerId", "DUPLICATE_EXTERNAL_CUSTOMER_ID", call, more);
    }
    if (part === "billing")
      return success(
        { externalPartnerId: id, month: call.query.get("month"), totals: { calls: 0 }, customers: [] },
        behaviour,
      );
    if (method === "GET") return success(fieldsOf(row), behaviour);
    if (method === "PATCH") {
      world.change(row, stored({ name: objectOf(call.body)["name"] }, behaviour));
      return success(fieldsOf(row), behaviour);
    }
    if (method !== "DELETE") return undefined;
    if (customers.some(({ deletedAt }) => deletedAt === undefined))
      throw refused(409, "PARTNER_HAS_ORGANIZATIONS", "the partner has customers");
    world.remove(row);
    return emptySuccess(behaviour);
  }

  function customers({ method, path, body }: Call): Answer | undefined {
    const row = customerOf(path[1]);
    if (row === undefined) throw refused(404, "NOT_FOUND", "there is no such customer");
    if (path[2] === "plan" && method === "PUT") {
      world.change(row, { plan: objectOf(body)["plan"] });
      return success(fieldsOf(row), behaviour);
    }
    if (method === "GET") return success(fieldsOf(row), behaviour);
    if (method !== "DELETE") return undefined;
    world.remove(row);
    return emptySuccess(behaviour);
  }

  return (call) => {
    const [name] = call.path;
    if (name === "health")
      return {
        status: 200,
        body: { status: "ok", version: "1.9", timestamp: new Date(now()).toISOString() },
      };
    if (name === behaviour.partnersPath) return partners(call);
    if (name === "customers") return customers(call);
    return name === "usage" ? page([], call, "/usage") : undefined;
  };
}
