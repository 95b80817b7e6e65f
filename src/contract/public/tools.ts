import * as z from "zod";
import { assumed, requiredBy, ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId, pageQuery, timestamps } from "../primitives.js";
import { CallerObject, HeaderMap, HttpUrl } from "../primitives-http.js";
import { boundedText, OptionalText } from "../primitives-texts.js";

/** Name by which an assistant's model calls the tool (D-tool). */
const ToolName = assumed(
  "D-tool",
  z
    .string("must be a name like look_up_patient")
    .regex(
      /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
      "must be a name like look_up_patient: lowercase letters, digits and _",
    )
    .max(200, "must be at most 200 characters"),
  z.string("must be text"),
);

/** public.tool.webhook-only */
const ToolType = ruled(
  "public.tool.webhook-only",
  z.literal("webhook", "must be webhook; other types can't be created"),
);

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const ToolMethod = assumed(
  "D-tool",
  z.enum(methods, `must be one of ${methods.join(", ")}`),
  z.string("must be text"),
);

/**
 * A secret. The service never returns a secret. Null deletes the stored secret (public.tool.secret, D-tool).
 */
const Secret = assumed(
  "D-tool",
  boundedText(1, 10_000, "must be text of 1 to 10,000 characters").nullable(),
  z.string("must be text").nullable(),
);

const Tool = z.object({
  id: ObjectId,
  name: assumed("D-tool", z.string()),
  description: assumed("D-tool", z.string()),
  type: z.string(),
  url: assumed("D-tool", z.string()),
  method: assumed("D-tool", z.string()),
  headers: assumed("D-tool", z.looseObject({})),
  parameters: CallerObject,
  has_secret: z.boolean(),
  ...timestamps,
});

const ToolCreate = z.strictObject({
  name: requiredBy("D-tool", ToolName),
  description: OptionalText.default(""),
  type: ToolType.default("webhook"),
  url: requiredBy("D-tool", HttpUrl),
  method: ToolMethod.default("POST"),
  headers: HeaderMap.default({}),
  parameters: CallerObject.default({}),
  secret: Secret.optional(),
});

const ToolUpdate = z.strictObject({
  name: ToolName.optional(),
  description: OptionalText.optional(),
  type: ToolType.optional(),
  url: HttpUrl.optional(),
  method: ToolMethod.optional(),
  headers: HeaderMap.optional(),
  parameters: CallerObject.optional(),
  secret: Secret.optional(),
});

setExample(Tool, {
  id: exampleIds.tool_id,
  name: "find_appointment",
  description: "Finds free appointments on a day.",
  type: "webhook",
  url: "https://praxis.example.org/api/appointments",
  method: "POST",
  headers: { "X-Location": "Mitte" },
  parameters: {
    type: "object",
    properties: { day: { type: "string", format: "date" } },
    required: ["day"],
  },
  has_secret: true,
  ...exampleTimes,
});
setExample(ToolCreate, {
  name: "find_appointment",
  description: "Finds free appointments on a day.",
  url: "https://praxis.example.org/api/appointments",
  method: "POST",
  headers: { "X-Location": "Mitte" },
  parameters: {
    type: "object",
    properties: { day: { type: "string", format: "date" } },
    required: ["day"],
  },
  secret: "a-secret-of-your-own",
});
setExample(ToolUpdate, { secret: null });

export const tools = defineOperations(
  {
    api: "public",
    about: "Webhooks that assistants call during a call.",
    area: "tools",
    pathAssumed: "D-tool",
  },
  {
    "tools.list": {
      method: "GET",
      path: "/tools",
      summary: "List tools",
      query: pageQuery({}),
      responseShape: "page",
      response: Tool,
    },
    "tools.create": {
      method: "POST",
      path: "/tools",
      summary: "Create a tool",
      body: ToolCreate,
      responseShape: "item",
      response: Tool,
      errors: [409],
    },
    "tools.get": {
      method: "GET",
      path: "/tools/{tool_id}",
      summary: "Show a tool",
      responseShape: "item",
      response: Tool,
    },
    "tools.update": {
      method: "PATCH",
      path: "/tools/{tool_id}",
      summary: "Change a tool",
      body: ToolUpdate,
      responseShape: "item",
      response: Tool,
      errors: [409],
    },
    "tools.delete": {
      method: "DELETE",
      path: "/tools/{tool_id}",
      summary: "Delete a tool",
      responseShape: "empty",
      errors: [409],
    },
  },
);

export type Tool = z.output<typeof Tool>;
