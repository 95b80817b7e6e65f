import { createMsp, distributorV1, distributorV2, legacy } from "../helpers/distributor.js";
import type { Ask, Reply, TestEmulator } from "../helpers/test-emulator.js";

type Asking = (method: string, path: string, options?: Ask) => Promise<Reply>;

/**
 * Sends one request for every operation to a separate emulator. Every request succeeds, and every list has a row.
 * Written from the documents, like the table.
 */
export async function collectResponses(emulator: TestEmulator): Promise<Map<string, Reply>> {
  const responses = new Map<string, Reply>();

  const asking = (ask: Asking) => async (operation: string, request: string, body?: object) => {
    const [method = "", path = ""] = request.split(" ");
    const reply = await ask(method, path, body && { body });
    if (reply.status >= 400) throw new Error(`${operation}: ${reply.status} ${JSON.stringify(reply.body)}`);
    responses.set(operation, reply);
    return reply.body?.data;
  };

  /** The last operation deletes the resource. */
  async function fiveVerbs(name: string, path: string, create: object, change: object): Promise<void> {
    const ask = asking(emulator.ask);
    const { id } = await ask(`${name}.create`, `POST ${path}`, create);
    await ask(`${name}.list`, `GET ${path}`);
    await ask(`${name}.get`, `GET ${path}/${id}`);
    await ask(`${name}.update`, `PATCH ${path}/${id}`, change);
    await ask(`${name}.delete`, `DELETE ${path}/${id}`);
  }

  await collectPublicResponses(emulator, asking(emulator.ask), fiveVerbs);
  await collectDistributorResponses(
    emulator,
    asking(distributorV1(emulator)),
    asking(distributorV2(emulator)),
  );
  return responses;

  async function collectPublicResponses(
    { groupId, advance }: TestEmulator,
    ask: ReturnType<typeof asking>,
    resource: typeof fiveVerbs,
  ): Promise<void> {
    await ask("ping", "GET /ping");
    await resource("groups", "/groups", { type: "contacts", name: "Second" }, { name: "Third" });
    await resource(
      "contacts",
      "/contacts",
      { group_id: await groupId("contacts"), first_name: "Ada" },
      { first_name: "Eda" },
    );
    await resource(
      "knowledge",
      "/knowledge-items",
      { group_id: await groupId("knowledges"), name: "Hours", text: "Nine to five" },
      { name: "Opening hours" },
    );
    await resource(
      "prompts",
      "/prompts",
      { name: "Answer", kind: "answering", text: "Be kind" },
      { text: "Be brief" },
    );
    await resource(
      "forwardings",
      "/forwardings",
      {
        group_id: await groupId("forwardings"),
        destination_type: "sip",
        sip_uri: "sip:desk@practice.example",
      },
      { timeout: 20 },
    );
    await resource(
      "glossary",
      "/glossary",
      { group_id: await groupId("glossaries"), term: "PZR" },
      { definition: "Cleaning" },
    );
    await resource(
      "pronunciation",
      "/pronunciation",
      { group_id: await groupId("pronunciations"), token: "PZR", spell_out: true },
      { replacement: "Reinigung", spell_out: false },
    );
    await resource("calendars", "/calendars", { name: "Practice" }, { schedules: [] });
    await resource(
      "tools",
      "/tools",
      { name: "look_up", url: "https://practice.example/tool" },
      { description: "Looks up" },
    );
    const voices = await ask("voices.list", "GET /voices");
    const assistant = {
      name: "Desk",
      language: "de",
      voice_id: voices[0].id,
      company_name: "Practice",
      company_industry: "Dentistry",
      introduction: "Good day",
    };
    await resource("assistants", "/assistants", assistant, { name: "Front desk" });
    const { id: assistant_id, phone_number } = await ask("assistants.create", "POST /assistants", assistant);
    const { call_id } = await ask("calls.create", "POST /calls", { assistant_id, to: "+4930123456" });
    await advance(300);
    await ask("calls.list", "GET /calls");
    await ask("calls.get", `GET /calls/${call_id}`);
    await ask("calls.recording.get", `GET /calls/${call_id}/recording`);
    await ask("calls.recording.delete", `DELETE /calls/${call_id}/recording`);
    await ask("statistics.summary", "GET /statistics/summary");
    await ask("statistics.usage", "GET /statistics/usage?week=10&year=2026&assistant_id=all");
    const askLegacy = asking(legacy(emulator));
    await askLegacy("legacy.health", "GET /health");
    await askLegacy("legacy.call", "POST /outbound/call", {
      assistantPhoneNumber: phone_number,
      targetPhoneNumber: "+4930123456",
    });
  }

  async function collectDistributorResponses(
    of: TestEmulator,
    v1: ReturnType<typeof asking>,
    v2: ReturnType<typeof asking>,
  ): Promise<void> {
    const msp = await createMsp(of, "msp-1", ["lic-1", "lic-2"]);
    const customer = await v2("orgs.create", "POST /organizations", {
      type: "customer",
      name: "Customer",
      parentOrganizationId: msp.id,
      externalOrganizationId: "customer-1",
      externalLicenseId: "lic-1",
    });
    await v2("orgs.list", "GET /organizations?type=customer");
    await v2("orgs.tree", "GET /organizations/tree");
    await v2("licenses.upsert", `PATCH /organizations/${msp.id}/licenses`, { licenses: [] });
    await v2("licenses.reassign", `PATCH /organizations/${customer.id}/license`, {
      externalLicenseId: "lic-2",
    });
    await v2("billing.get", `GET /organizations/${msp.id}/billing-summary`);
    await completedCall(of, customer.id);
    await v2("usage.list", "GET /usage?from=2026-03-01&to=2026-03-03");
    await v2("orgs.delete", `DELETE /organizations/${customer.id}`);

    await v1("distributor.health", "GET /health");
    await v1("partners.create", "POST /partners", { externalPartnerId: "partner-1", name: "Partner" });
    await v1("partners.list", "GET /partners");
    await v1("partners.get", "GET /partners/partner-1");
    await v1("partners.update", "PATCH /partners/partner-1", { name: "Partners" });
    const planned = await v1("customers.create", "POST /partners/partner-1/customers", {
      externalCustomerId: "c-1",
      name: "C",
    });
    await v1("customers.list", "GET /partners/partner-1/customers");
    await v1("customers.get", "GET /customers/c-1");
    await v1("customers.plan", "PUT /customers/c-1/plan", { plan: "starter" });
    await completedCall(of, planned.organizationId);
    await v1("partners.usage", "GET /usage?from=2026-03-01&to=2026-03-03");
    await v1("partners.billing", "GET /partners/partner-1/billing");
    await v1("customers.delete", "DELETE /customers/c-1");
    const { data } = await v2("orgs.list", "GET /organizations?externalOrganizationId=partner-1").then(
      (rows) => ({ data: rows }),
    );
    await v2("orgs.delete", `DELETE /organizations/${data[0].id}`);
    await v1("partners.delete", "DELETE /partners/partner-1");
  }
}

/** Creates a completed call of the organization with today's date, so that the organization's usage is not empty. */
async function completedCall(emulator: TestEmulator, organizationId: string): Promise<void> {
  const { key } = await emulator.control("POST", "/keys", {
    kind: "public",
    organization_id: organizationId,
  });
  const voices = (await emulator.ask("GET", "/voices", { key })).body.data;
  const created = await emulator.ask("POST", "/assistants", {
    key,
    body: {
      name: "Desk",
      language: "de",
      voice_id: voices[0].id,
      company_name: "C",
      company_industry: "Trade",
      introduction: "Good day",
    },
  });
  await emulator.control("POST", "/calls", { assistant_id: created.body.data.id });
}
