import type { Calendar, calendars } from "../../contract/public/calendars.js";
import type { Handlers, PublicContext } from "../context.js";
import { ColumnTable } from "../kernel/column-table.js";
import { conflict } from "../refusal.js";
import { isAssigned } from "./assigned.js";

const table = new ColumnTable<Calendar>("calendars", "the calendar", {
  name: "text",
  timezone: "text",
  schedules: "json",
});

// Calendar names are unique within an organization (public.calendar.unique, public.operations.11).
function refuseTakenName(context: PublicContext, name: string, exceptId?: string): void {
  if (context.state.mirror.isOff("public.calendar.unique")) return;
  const taken = context.database
    .prepare("SELECT id FROM calendars WHERE organization_id = ? AND name = ?")
    .get(context.organization.id, name);
  if (taken && taken["id"] !== exceptId) {
    throw conflict("public.calendar.unique", `a calendar named "${name}" already exists`);
  }
}

// public.operations.11c
function refuseAssigned(context: PublicContext, calendar: Calendar): void {
  if (!isAssigned(context, "calendar_ids", calendar.id)) return;
  throw conflict("public.operations.11c", `"${calendar.name}" is still assigned to an assistant`);
}

export const calendarHandlers: Handlers<typeof calendars> = {
  "calendars.list": (context, { query }) => table.page(context, query),

  "calendars.create": (context, { body }) => {
    refuseTakenName(context, body.name); // public.operations.11
    return table.insert(context, body);
  },

  "calendars.get": (context, { path }) => table.require(context, path.calendar_id),

  "calendars.update": (context, { path, body }) => {
    const calendar = table.require(context, path.calendar_id);
    if (body.name !== undefined) refuseTakenName(context, body.name, calendar.id); // public.calendar.unique
    return table.update(context, calendar.id, body); // public.operations.11b
  },

  "calendars.delete": (context, { path }) => {
    const calendar = table.require(context, path.calendar_id);
    refuseAssigned(context, calendar); // public.operations.11c
    table.delete(context, calendar.id);
  },
};
