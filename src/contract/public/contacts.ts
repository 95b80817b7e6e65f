import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { defineOperations } from "../operation.js";
import {
  E164,
  Email,
  isWholeText,
  Name,
  ObjectId,
  pageQuery,
  timestamps,
  wholeTextMessage,
} from "../primitives.js";

const LastName = assumed(
  "D-contact",
  z
    .string("must be text of at most 200 characters")
    .trim()
    .refine((text) => text.length <= 200 || [...text].length <= 200, "must be at most 200 characters")
    .refine(isWholeText, wholeTextMessage)
    .meta({ maxLength: 200 }),
);
const PhoneNumbers = assumed(
  "D-contact",
  z.array(E164, "must be a list of phone numbers").max(10, "must be at most 10 numbers"),
  z.array(E164),
);
const Emails = assumed(
  "D-contact",
  z.array(Email, "must be a list of e-mail addresses").max(10, "must be at most 10 addresses"),
  z.array(z.string()),
);

/** public.contact.fields, D-contact */
const Contact = z.object({
  id: ObjectId,
  group_id: ObjectId,
  first_name: z.string(),
  last_name: assumed("D-contact", z.string()),
  phone_numbers: z.array(E164),
  emails: assumed("D-contact", z.array(z.string())),
  ...timestamps,
});

const fields = {
  first_name: Name,
  last_name: LastName,
  phone_numbers: PhoneNumbers,
  emails: Emails,
};

const ContactCreate = ruled(
  "public.contact.fields",
  z.strictObject({
    group_id: ObjectId,
    first_name: fields.first_name,
    last_name: fields.last_name.default(""),
    phone_numbers: fields.phone_numbers.default([]),
    emails: fields.emails.default([]),
  }),
);

const ContactUpdate = z.strictObject({
  group_id: ObjectId.optional(),
  first_name: fields.first_name.optional(),
  last_name: fields.last_name.optional(),
  phone_numbers: fields.phone_numbers.optional(),
  emails: fields.emails.optional(),
});

export const contacts = defineOperations(
  { surface: "public", area: "contacts" },
  {
    "contacts.list": {
      method: "GET",
      path: "/contacts",
      summary: "List contacts",
      query: pageQuery({ group_id: ObjectId.optional() }),
      answer: "page",
      response: Contact,
    },
    "contacts.create": {
      method: "POST",
      path: "/contacts",
      summary: "Create a contact",
      body: ContactCreate,
      answer: "item",
      response: Contact,
      errors: [404],
    },
    "contacts.get": {
      method: "GET",
      path: "/contacts/{contact_id}",
      summary: "Show a contact",
      answer: "item",
      response: Contact,
    },
    "contacts.update": {
      method: "PATCH",
      path: "/contacts/{contact_id}",
      summary: "Change a contact",
      body: ContactUpdate,
      answer: "item",
      response: Contact,
    },
    "contacts.delete": {
      method: "DELETE",
      path: "/contacts/{contact_id}",
      summary: "Delete a contact",
      answer: "empty", // public.endpoints.delete
    },
  },
);

export type Contact = z.output<typeof Contact>;
