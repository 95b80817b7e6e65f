import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { once } from "../once.js";
import { defineOperations } from "../operation.js";
import { E164, isWholeText, Name, ObjectId, pageQuery, timestamps, wholeTextMessage } from "../primitives.js";

const person = {
  group_id: exampleIds.group_id,
  first_name: "Anna",
  last_name: "Sommer",
  phone_numbers: ["+493012345678"],
  emails: ["anna.sommer@example.org"],
};

const Contact = once(() =>
  setExample(
    // public.contact.fields, D-contact
    z.object({
      id: ObjectId,
      group_id: ObjectId,
      first_name: z.string(),
      last_name: assumed("D-contact", z.string()),
      phone_numbers: z.array(E164),
      emails: assumed("D-contact", z.array(z.string())),
      ...timestamps,
    }),
    { id: exampleIds.contact_id, ...person, ...exampleTimes },
  ),
);

/** An email address. Only the format is checked, not whether the address exists (D-contact). */
const Email = once(() =>
  assumed(
    "D-contact",
    z
      .email({ pattern: z.regexes.email, error: "must be an email address like name@example.org" })
      .max(320, "must be at most 320 characters"),
    z.string("must be text"),
  ),
);

const fields = once(() => ({
  first_name: Name,
  last_name: assumed(
    "D-contact",
    z
      .string("must be text of at most 200 characters")
      .trim()
      .refine((text) => text.length <= 200 || [...text].length <= 200, "must be at most 200 characters")
      .refine(isWholeText, wholeTextMessage)
      .meta({ maxLength: 200 }),
  ),
  phone_numbers: assumed(
    "D-contact",
    z.array(E164, "must be a list of phone numbers").max(10, "must contain at most 10 numbers"),
    z.array(E164),
  ),
  emails: assumed(
    "D-contact",
    z.array(Email(), "must be a list of email addresses").max(10, "must contain at most 10 addresses"),
    z.array(z.string()),
  ),
}));

const ContactCreate = once(() => {
  const { first_name, last_name, phone_numbers, emails } = fields();
  const schema = z.strictObject({
    group_id: ObjectId,
    first_name,
    last_name: last_name.default(""),
    phone_numbers: phone_numbers.default([]),
    emails: emails.default([]),
  });
  return ruled("public.contact.fields", setExample(schema, person));
});

const ContactUpdate = once(() => {
  const { first_name, last_name, phone_numbers, emails } = fields();
  const schema = z.strictObject({
    group_id: ObjectId.optional(),
    first_name: first_name.optional(),
    last_name: last_name.optional(),
    phone_numbers: phone_numbers.optional(),
    emails: emails.optional(),
  });
  return setExample(schema, { phone_numbers: ["+493012345678", "+4915112345678"] });
});

export const contacts = defineOperations(
  { api: "public", about: "People and companies that assistants know by name.", area: "contacts" },
  {
    "contacts.list": {
      method: "GET",
      path: "/contacts",
      summary: "List contacts",
      query: pageQuery({ group_id: ObjectId.optional() }),
      responseShape: "page",
      get response() {
        return Contact();
      },
    },
    "contacts.create": {
      method: "POST",
      path: "/contacts",
      summary: "Create a contact",
      get body() {
        return ContactCreate();
      },
      responseShape: "item",
      get response() {
        return Contact();
      },
      errors: [404],
    },
    "contacts.get": {
      method: "GET",
      path: "/contacts/{contact_id}",
      summary: "Show a contact",
      responseShape: "item",
      get response() {
        return Contact();
      },
    },
    "contacts.update": {
      method: "PATCH",
      path: "/contacts/{contact_id}",
      summary: "Change a contact",
      get body() {
        return ContactUpdate();
      },
      responseShape: "item",
      get response() {
        return Contact();
      },
    },
    "contacts.delete": {
      method: "DELETE",
      path: "/contacts/{contact_id}",
      summary: "Delete a contact",
      responseShape: "empty", // public.endpoints.delete
    },
  },
);

export type Contact = z.output<ReturnType<typeof Contact>>;
