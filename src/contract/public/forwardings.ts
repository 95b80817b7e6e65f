import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { E164, Name, ObjectId, pageQuery, timestamps } from "../primitives.js";
import { ImmutableGroup } from "../primitives-items.js";
import { boundedText } from "../primitives-texts.js";

/** public.forwarding.types */
const destinationTypes = ["phone", "sip", "sip_refer"] as const;

const DestinationType = ruled(
  "public.forwarding.types",
  z.enum(destinationTypes, `must be one of ${destinationTypes.join(", ")}`),
);

const Type = assumed(
  "D-forwarding",
  boundedText(1, 200, "must be text of 1 to 200 characters"),
  z.string("must be text"),
);

const Timeout = assumed(
  "D-forwarding",
  z.number("must be a number of seconds").min(1, "must be from 1 to 300").max(300, "must be from 1 to 300"),
  z.number("must be a number of seconds"),
);

// An empty string is also valid, although it is not a number that can be called (public.operations.8c).
const PhoneNumber = ruled(
  "public.general.8",
  z.union([E164, z.literal("")], "must be a phone number like +4915112345678, or empty"),
);

const Target = assumed(
  "D-forwarding",
  boundedText(0, 2048, "must be text of at most 2,048 characters"),
  z.string("must be text"),
);

const Forwarding = z.object({
  id: ObjectId,
  group_id: ObjectId,
  name: assumed("D-forwarding", z.string().nullable()),
  type: z.string(),
  destination_type: z.enum(destinationTypes),
  phone_number: z.string().nullable(),
  sip_uri: z.string().nullable(),
  sip_refer_target: z.string().nullable(),
  timeout: z.number(),
  ...timestamps,
});

const ForwardingCreate = z.strictObject({
  group_id: ObjectId,
  name: Name.nullable().default(null),
  type: Type.default("standard"),
  destination_type: DestinationType,
  phone_number: PhoneNumber.nullable().default(null),
  sip_uri: Target.nullable().default(null),
  sip_refer_target: Target.nullable().default(null),
  timeout: Timeout.default(30),
});

const ForwardingUpdate = z.strictObject({
  group_id: ImmutableGroup.optional(),
  name: Name.nullable().optional(),
  type: Type.optional(),
  destination_type: DestinationType.optional(),
  phone_number: PhoneNumber.nullable().optional(),
  sip_uri: Target.nullable().optional(),
  sip_refer_target: Target.nullable().optional(),
  timeout: Timeout.optional(),
});

setExample(Forwarding, {
  id: exampleIds.forwarding_id,
  group_id: exampleIds.group_id,
  name: "Rezeption",
  type: "standard",
  destination_type: "phone",
  phone_number: "+493012345678",
  sip_uri: null,
  sip_refer_target: null,
  timeout: 45,
  ...exampleTimes,
});
setExample(ForwardingCreate, {
  group_id: exampleIds.group_id,
  name: "Rezeption",
  destination_type: "phone",
  phone_number: "+493012345678",
  timeout: 45,
});
setExample(ForwardingUpdate, { destination_type: "sip", sip_uri: "sip:empfang@pbx.example.org" });

export const forwardings = defineOperations(
  { api: "public", about: "Destinations to which assistants forward calls.", area: "forwardings" },
  {
    "forwardings.list": {
      method: "GET",
      path: "/forwardings",
      summary: "List forwardings",
      query: pageQuery({ group_id: ObjectId.optional() }),
      responseShape: "page",
      response: Forwarding,
    },
    "forwardings.create": {
      method: "POST",
      path: "/forwardings",
      summary: "Create a forwarding",
      body: ForwardingCreate,
      responseShape: "item",
      response: Forwarding,
      errors: [404],
    },
    "forwardings.get": {
      method: "GET",
      path: "/forwardings/{forwarding_id}",
      summary: "Show a forwarding",
      responseShape: "item",
      response: Forwarding,
    },
    "forwardings.update": {
      method: "PATCH",
      path: "/forwardings/{forwarding_id}",
      summary: "Change a forwarding",
      body: ForwardingUpdate,
      responseShape: "item",
      response: Forwarding,
    },
    "forwardings.delete": {
      method: "DELETE",
      path: "/forwardings/{forwarding_id}",
      summary: "Delete a forwarding",
      responseShape: "empty",
    },
  },
);

export type Forwarding = z.output<typeof Forwarding>;
