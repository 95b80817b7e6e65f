import type { Fields, ServiceResponse } from "./exchange.js";
import { Refusal } from "./exchange.js";
import { listVisible, toPage } from "./lists.js";
import type { Call } from "./service.js";
import { fieldsOf, type Row, type ServiceState, type Setting } from "./service-state.js";
import { createPageResponse, createSuccess, idOf } from "./shapes.js";

/** Each organization has this usage, all of it on one day. */
export const used = { date: "2026-03-01", calls: 3, seconds: 540 } as const;

/** Returns the usage by day and organization. The format is undocumented. */
export function listUsage(state: ServiceState, setting: Setting, { query }: Call): ServiceResponse {
  const { behavior } = setting;
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  if (!/^\d{4}-\d\d-\d\d$/.test(from) || !/^\d{4}-\d\d-\d\d$/.test(to) || from > to)
    throw new Refusal(400, "INVALID_DATE_RANGE", "from and to must be days");
  const requestedId = behavior.ignoresFilters ? null : query.get("organizationId");
  const all = listVisible(state.everRows("organizations"), setting).filter(
    ({ row }) => (requestedId === null || row.id === requestedId) && from <= used.date && used.date <= to,
  );
  const page = toPage(all, { limit: query.get("limit"), cursor: query.get("cursor") }, behavior);
  const rows = page.rows.map(({ row, fields }) => record(row, fields));
  return createPageResponse(rows, page, "/usage", behavior);

  function record(row: Row, { externalOrganizationId }: Fields): Fields {
    const { date, calls, seconds } = used;
    const organizationId = idOf(row.id, behavior);
    switch (behavior.usageShape) {
      case "records":
        return {
          organizationId,
          externalOrganizationId,
          date,
          calls,
          durationSeconds: seconds,
          billableSeconds: seconds,
        };
      case "snake_case":
        return {
          organization_id: organizationId,
          external_organization_id: externalOrganizationId,
          day: date,
          call_count: calls,
          seconds,
        };
      case "nested":
        return {
          organization: { id: organizationId, externalOrganizationId },
          days: [{ date, usage: { calls, seconds } }],
        };
    }
  }
}

export function formatBilling(
  state: ServiceState,
  { behavior }: Setting,
  row: Row,
  { query }: Call,
): ServiceResponse {
  const month = query.get("month") ?? "2026-03";
  const organizations = state
    .rows("organizations")
    .filter((candidate) => candidate === row || fieldsOf(candidate)["parentOrganizationId"] === row.id);
  const { calls, seconds } = used;
  const amounts = (count: number) => ({
    calls: calls * count,
    durationSeconds: seconds * count,
    billableSeconds: seconds * count,
  });
  const licenses = state
    .rows("licenses")
    .filter((license) => fieldsOf(license)["owner"] === row.id)
    .map((license) => {
      const { externalLicenseId, product, status } = fieldsOf(license);
      return { externalLicenseId, product, status };
    });
  const organizationId = idOf(row.id, behavior);
  const usual = {
    organizationId,
    month,
    totals: amounts(organizations.length),
    organizations: organizations.map((organization) => ({
      organizationId: idOf(organization.id, behavior),
      externalOrganizationId: fieldsOf(organization)["externalOrganizationId"],
      ...amounts(1),
    })),
  };
  if (behavior.billingShape === "totals") return createSuccess({ ...usual, licenses }, behavior);
  if (behavior.billingShape === "no licenses") return createSuccess(usual, behavior);
  return createSuccess(
    { period: month, account: organizationId, positions: [{ text: "calls", quantity: calls }] },
    behavior,
  );
}
