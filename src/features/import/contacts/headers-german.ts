import type { HeaderTable } from "./header-table.js";

export const germanHeaders: HeaderTable = {
  firstName: ["Vorname", "Vornamen", "Rufname"],
  lastName: ["Nachname", "Nachnamen", "Familienname", "Zuname"],
  name: ["Namen"],
  wholeName: [
    ...["Anzeigename", "Voller Name", "Kontakt", "Kontaktname", "Kunde", "Kundenname", "Ansprechpartner"],
  ],
  // `-nr` is also recognized for `-nummer`.
  phone: [
    ...["Telefon", "Telefonnummer", "Telefonnummern", "Festnetz", "Rufnummer"],
    ...["Mobil", "Mobiltelefon", "Mobilfunk", "Mobilnummer", "Handy", "Handynummer"],
  ],
  email: ["Mailadresse", "Emailadresse", "Emailadressen"],
  qualifiers: [
    ...["Privat", "Priv", "Zuhause", "Geschäftlich", "Geschäftl", "Geschäft", "Gesch", "Arbeit"],
    ...["Dienstlich", "Dienstl", "Dienst", "Beruflich", "Berufl", "Firma", "Firmen", "Büro", "Zentrale"],
    ...["Haupt", "Primär", "Primäre", "Sekundär", "Sekundäre", "Weitere", "Weiterer", "Weiteres", "Zweite"],
    ...["Andere", "Anderes", "Zusätzliche", "Alternativ", "Alternative", "Auto", "Kontakt", "Kunden"],
    ...["Nummer", "Nummern", "Rufnummer"],
  ],
  qualifiersBehind: ["Nr", "Wert"],
  programs: [
    {
      program: "Outlook",
      source:
        "Outlook für Windows, Importieren/Exportieren, kommagetrennte Werte; only some versions have brackets",
      first_name: ["Vorname"],
      last_name: ["Nachname"],
      phone_numbers: [
        ...["Telefon geschäftlich", "Telefon (geschäftlich)", "Telefon geschäftlich 2", "Rückmeldung"],
        ...["Autotelefon", "Telefon Firma", "Telefon (Firma)", "Telefon privat", "Telefon (privat)"],
        ...["Telefon privat 2", "Telefon (privat 2)", "Mobiltelefon", "Mobiltelefon 2", "Weiteres Telefon"],
        ...["Haupttelefon", "Mobiltelefonnummer"],
      ],
      emails: ["E-Mail-Adresse", "E-Mail 2: Adresse", "E-Mail 3: Adresse"],
      ignored: [
        ...["Telefon Assistent", "Fax geschäftlich", "Fax privat", "Weiteres Fax", "ISDN", "Pager"],
        ...["Telefon für Hörbehinderte", "Telex", "E-Mail-Typ", "E-Mail: Angezeigter Name", "E-Mail 2: Typ"],
      ],
    },
    {
      program: "Thunderbird",
      source: "mozilla-l10n/firefox-l10n, de/mail/chrome/messenger/importMsgs.properties",
      first_name: ["Vorname"],
      last_name: ["Nachname"],
      phone_numbers: ["Tel. dienstlich", "Tel. privat", "Mobil-Tel.-Nr."],
      emails: ["Primäre E-Mail-Adresse", "Sekundäre E-Mail-Adresse"],
      ignored: ["Fax-Nummer", "Pager-Nummer"],
    },
    {
      program: "Apple Kontakte",
      source: "labels in vCards, the only format that it exports",
      first_name: [],
      last_name: [],
      phone_numbers: ["iPhone", "Mobil", "Telefon Arbeit", "Haupttelefon", "Anderes Telefon"],
      emails: ["E-Mail privat", "E-Mail Arbeit"],
      ignored: ["Fax (Arbeit)", "Fax (privat)", "Pager"],
    },
    {
      program: "HubSpot",
      source: "https://knowledge.hubspot.com/de/properties/hubspots-default-contact-properties",
      first_name: ["Vorname"],
      last_name: ["Nachname"],
      phone_numbers: ["Telefonnummer", "Mobiltelefonnummer", "WhatsApp-Telefonnummer"],
      emails: ["E-Mail", "Berufliche E-Mail", "Zusätzliche E-Mail-Adressen"],
      ignored: ["Faxnummer", "E-Mail-Domain"],
    },
    {
      program: "Salesforce",
      source: "labels of the Kontakt object in the German interface",
      first_name: ["Vorname"],
      last_name: ["Nachname"],
      phone_numbers: [
        "Telefon",
        "Mobil",
        "Mobiltelefon",
        "Telefon privat",
        "Anderes Telefon",
        "Weiteres Telefon",
      ],
      emails: ["E-Mail"],
      ignored: ["Telefon (Assistent)", "Telefon des Assistenten", "Fax", "Nicht anrufen", "Keine E-Mails"],
    },
    {
      program: "any",
      source: "flags and extensions that appear next to the columns above",
      first_name: [],
      last_name: [],
      phone_numbers: [],
      emails: [],
      ignored: [
        "Kein Telefon",
        "Keine E-Mail",
        "Durchwahl",
        "Telefon Durchwahl",
        "Durchwahlnummer",
        "Nebenstelle",
      ],
    },
  ],
};
