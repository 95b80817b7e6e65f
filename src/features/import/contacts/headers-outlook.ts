import type { ProgramHeaders } from "./header-table.js";

const source = "Outlook for Windows, Import/Export, comma-separated values, in this language";

/**
 * Columns in Outlook's exports in languages other than English and German. Some columns differ between
 * versions of Outlook. Czech, Hungarian and Turkish are missing, because voxctl can't detect the encodings of
 * these exports and would import wrong letters.
 */
export const outlookHeaders: readonly ProgramHeaders[] = [
  {
    program: "Outlook in Dutch",
    source,
    first_name: ["Voornaam"],
    last_name: ["Achternaam"],
    phone_numbers: [
      ...["Telefoon op werk", "Telefoon op werk 2", "Terugbellen", "Autotelefoon", "Hoofdtelefoon bedrijf"],
      ...["Telefoon thuis", "Telefoon thuis 2", "Mobiele telefoon", "Andere telefoon", "Hoofdtelefoon"],
      ...["Radiotelefoon"],
    ],
    emails: ["E-mailadres", "E-mailadres 2", "E-mailadres 3"],
    ignored: ["Telefoon assistent", "Fax op werk", "Fax thuis", "Andere fax", "Teksttelefoon", "E-mailtype"],
  },
  {
    program: "Outlook in French",
    source,
    first_name: ["Prénom"],
    last_name: ["Nom"],
    phone_numbers: [
      ...["Téléphone (bureau)", "Téléphone 2 (bureau)", "Rappel", "Téléphone (voiture)"],
      ...["Téléphone société", "Téléphone (domicile)", "Téléphone 2 (domicile)", "Tél. mobile"],
      ...["Téléphone (autre)", "Téléphone principal", "Tél. principal", "Radio téléphone"],
    ],
    emails: [
      ...["Adresse de messagerie", "Adresse de messagerie 2", "Adresse de messagerie 3"],
      ...["Adresse de courrier", "Adresse de courrier 2", "Adresse de courrier 3"],
    ],
    ignored: [
      ...["Téléphone de l'assistant(e)", "Télécopie (bureau)", "Télécopie (domicile)", "Télécopie (autre)"],
      ...["Récepteur de radiomessagerie", "Téléphone TDD/TTY", "Type de messagerie"],
    ],
  },
  {
    program: "Outlook in Italian",
    source,
    first_name: ["Nome"],
    last_name: ["Cognome"],
    phone_numbers: [
      ...["Ufficio", "Ufficio 2", "Richiamata automatica", "Telefono auto", "Telefono principale società"],
      ...["Abitazione", "Abitazione 2", "Cellulare", "Altro telefono", "Telefono principale"],
      ...["Radiotelefono"],
    ],
    emails: [
      ...["Indirizzo posta elettronica", "Indirizzo posta elettronica 2", "Indirizzo posta elettronica 3"],
    ],
    ignored: [
      ...["Telefono assistente", "Fax (uff.)", "Fax (ab.)", "Altro fax", "Cercapersone", "Telefono TTY/TDD"],
      ...["Tipo posta elettronica"],
    ],
  },
  {
    program: "Outlook in Polish",
    source,
    first_name: ["Imię"],
    last_name: ["Nazwisko"],
    phone_numbers: [
      ...["Telefon służbowy", "Telefon służbowy 2", "Wywołanie zwrotne", "Telefon w samochodzie"],
      ...["Główny telefon do firmy", "Telefon domowy", "Telefon domowy 2", "Telefon komórkowy"],
      ...["Inny telefon", "Telefon podstawowy", "Radiotelefon"],
    ],
    emails: ["Adres e-mail", "Adres e-mail 2", "Adres e-mail 3"],
    ignored: [
      ...["Telefon asystenta", "Faks służbowy", "Faks domowy", "Inny faks", "Telefon TTY/TDD"],
      ...["Typ e-mail", "Rodzaj e-mail 2"],
    ],
  },
  {
    program: "Outlook in Spanish",
    source,
    first_name: ["Nombre"],
    last_name: ["Apellidos"],
    phone_numbers: [
      ...["Teléfono del trabajo", "Teléfono del trabajo 2", "Devolución de llamada"],
      ...["Número de centralita de la organización", "Particular", "Teléfono móvil", "Otro teléfono"],
      ...["Teléfono principal", "Radioteléfono"],
    ],
    emails: [
      ...["Dirección de correo electrónico", "Dirección de correo electrónico 2"],
      ...["Dirección de correo electrónico 3", "Dirección del correo electrónico 3"],
    ],
    ignored: ["Otro fax", "Número de teletipo", "Tipo de correo electrónico 2"],
  },
];
