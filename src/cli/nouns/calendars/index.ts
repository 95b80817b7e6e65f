import { type Fields, getText, isFields } from "../../../base/fields.js";
import { calendars as calendarOperations } from "../../../contract/public/calendars.js";
import type { Noun } from "../../derive/noun.js";
import { showIfPresent } from "../../output/fields.js";
import { formatSchedules } from "./schedules.js";

function formatScheduleTypes(calendar: Fields): string {
  const schedules: unknown = calendar["schedules"];
  if (!Array.isArray(schedules)) return "";
  return schedules.map((schedule) => (isFields(schedule) ? getText(schedule, "kind") : "")).join(", ");
}

const scheduleFile = "Pass schedules (kind, weekly, overrides) with --data @file.yaml.";

export const calendars: Noun = {
  name: "calendars",
  noun: "calendar",
  plural: "calendars",
  summary: "Manage calendars with opening, service and office hours",
  description:
    'A schedule has a type (kind), a week (monday: [{from: "08:00", to: "12:00"}], …) and overrides for single days ({date, closed: true} or {date, intervals}).',
  operations: calendarOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "SCHEDULES", value: showIfPresent(["schedules"], formatScheduleTypes) },
    { header: "TIME ZONE", value: "timezone", optional: true },
  ],
  detail: (calendar) => ({ ...calendar, schedules: formatSchedules(calendar["schedules"]) }),
  referable: { list: "calendars.list", noun: "calendar" },
  verbs: {
    "calendars.list": { examples: [{ command: "voxctl calendars list" }] },
    "calendars.get": {
      examples: [
        { command: "voxctl calendars get Praxis", note: "Show the schedules as tables" },
        {
          command: "voxctl calendars get Praxis -o yaml",
          note: "Show the schedules in the format that --data accepts",
        },
      ],
    },
    "calendars.create": {
      description: `The name must be unique. ${scheduleFile}`,
      examples: [
        { command: 'voxctl calendars create --name "Labor"' },
        { command: "voxctl calendars create --data @labor.yaml --timezone Europe/Berlin" },
      ],
      flagHelp: { timezone: "IANA time zone, such as Europe/Berlin" },
    },
    "calendars.update": {
      description: `New schedules replace all existing ones. ${scheduleFile}`,
      examples: [
        { command: 'voxctl calendars update Prophylaxe --name "Prophylaxe-Team"' },
        { command: "voxctl calendars update Praxis --data @praxis.yaml" },
      ],
      flagHelp: { timezone: "IANA time zone, such as Europe/Berlin" },
    },
    "calendars.delete": {
      description: "A calendar that an assistant uses can't be deleted.",
      examples: [{ command: "voxctl calendars delete Umbau" }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("calendars.get", { path: { calendar_id: id } }, { signal });
        return { what: `calendar "${isFields(data) ? getText(data, "name") : id}"` };
      },
    },
  },
};
