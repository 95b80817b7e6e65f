import type { HeaderTable } from "./header-table.js";

/** English column names. */
export const englishHeaders: HeaderTable = {
  firstName: ["First Name", "Given Name", "Forename", "First", "FName"],
  lastName: ["Last Name", "Surname", "Family Name", "Last", "LName"],
  name: ["Name"],
  wholeName: ["Full Name", "Display Name", "Contact Name", "Contact", "Customer Name", "Customer"],
  phone: [
    ...["Telephone", "Tel", "Phone", "Phones", "Phone Number", "Phone Numbers", "Fon", "Landline"],
    ...["Mobile", "Cell", "Cell Phone", "Cellular", "iPhone"],
  ],
  email: ["Email", "Emails", "Mail", "Email Address", "Email Addresses"],
  qualifiers: [
    ...["Private", "Home", "Business", "Work", "Office", "Company", "Car", "Radio", "WhatsApp"],
    ...["Main", "Primary", "Secondary", "Second", "Other", "Alternate", "Alternative", "Additional"],
    ...["Contact", "Personal", "Number", "Numbers"],
  ],
  qualifiersBehind: ["No", "Value"],
  programs: [
    {
      program: "Google Contacts",
      source:
        "https://github.com/owncloud-archive/contacts/issues/827, and exports since 2024; same in every language",
      first_name: ["First Name", "Given Name"],
      last_name: ["Last Name", "Family Name"],
      phone_numbers: ["Phone 1 - Value", "Phone 2 - Value"],
      emails: ["E-mail 1 - Value", "E-mail 2 - Value"],
      ignored: ["Phone 1 - Label", "Phone 1 - Type", "E-mail 1 - Label", "E-mail 1 - Type"],
    },
    {
      program: "Outlook",
      source: "Outlook for Windows, Import/Export, comma-separated values",
      first_name: ["First Name"],
      last_name: ["Last Name"],
      phone_numbers: [
        ...[
          "Business Phone",
          "Business Phone 2",
          "Callback",
          "Car Phone",
          "Company Main Phone",
          "Home Phone",
        ],
        ...["Home Phone 2", "Mobile Phone", "Other Phone", "Primary Phone", "Radio Phone"],
      ],
      emails: ["E-mail Address", "E-mail 2 Address", "E-mail 3 Address"],
      ignored: [
        ...["Assistant's Phone", "Business Fax", "Home Fax", "Other Fax", "ISDN", "Pager", "TTY/TDD Phone"],
        ...["Telex", "E-mail Type", "E-mail Display Name", "E-mail 2 Type", "E-mail 2 Display Name"],
      ],
    },
    {
      program: "Thunderbird",
      source: "mozilla-l10n/firefox-l10n-source, mail/chrome/messenger/importMsgs.properties",
      first_name: ["First Name"],
      last_name: ["Last Name"],
      phone_numbers: ["Work Phone", "Home Phone", "Mobile Number"],
      emails: ["Primary Email", "Secondary Email"],
      ignored: ["Fax Number", "Pager Number"],
    },
    {
      program: "Apple Contacts",
      source: "labels in its vCards, its only export format",
      first_name: [],
      last_name: [],
      phone_numbers: ["iPhone", "Mobile", "Home Phone", "Work Phone", "Main Phone"],
      emails: ["Home Email", "Work Email"],
      ignored: ["Home Fax", "Work Fax", "Other Fax", "Pager"],
    },
    {
      program: "HubSpot",
      source: "https://knowledge.hubspot.com/properties/hubspots-default-contact-properties",
      first_name: ["First Name"],
      last_name: ["Last Name"],
      phone_numbers: ["Phone Number", "Mobile Phone Number", "WhatsApp Phone Number"],
      emails: ["Email", "Work email", "Additional email addresses"],
      ignored: ["Fax Number", "Email Domain", "Email address quarantine reason"],
    },
    {
      program: "Salesforce",
      source: "https://help.fieldax.com/?page_id=79, labels of the object Contact",
      first_name: ["First Name"],
      last_name: ["Last Name"],
      phone_numbers: ["Phone", "Business Phone", "Mobile", "Home Phone", "Other Phone"],
      emails: ["Email"],
      ignored: ["Asst. Phone", "Fax", "Do Not Call", "Email Opt Out", "Phone Extension"],
    },
    {
      program: "any",
      source: "flags and extensions next to the columns above",
      first_name: [],
      last_name: [],
      phone_numbers: [],
      emails: [],
      ignored: ["No Phone", "No Email", "Extension", "Ext."],
    },
  ],
};
