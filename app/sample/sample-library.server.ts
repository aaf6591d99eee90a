import backup from "#app/sample/backup.sh?raw";
import debounce from "#app/sample/debounce.js?raw";
import settings from "#app/sample/editor-settings.json?raw";
import git from "#app/sample/git-hebrew.md?raw";
import server from "#app/sample/hello-server.go?raw";
import invoice from "#app/sample/invoice.html?raw";
import reading from "#app/sample/reading-list.csv?raw";
import retry from "#app/sample/retry.py?raw";
import sunrise from "#app/sample/sunrise.svg?raw";
import customers from "#app/sample/top-customers.sql?raw";
import welcome from "#app/sample/welcome.md?raw";
import hebrewWelcome from "#app/sample/welcome-hebrew.md?raw";
import type { SampleFile } from "#db/files/sample.server.ts";
import type { Locale } from "#domain/locale.ts";

/** Leads through notes, reminders, links and runs on another of the files. */
export const GUIDE_NAME = "welcome.md";

const GUIDES: Record<Locale, { body: string; description: string }> = {
  en: { body: welcome, description: "Start here" },
  he: { body: hebrewWelcome, description: "מתחילים כאן" },
};

/** Stands in the guides where the address of this server goes. */
const ORIGIN_PLACE = "https://codeshelf.example";

/** Returns the files of a small library to look around in. The last one comes first in the list of files. */
export const createSampleFiles = (origin: string, locale: Locale): readonly SampleFile[] => [
  {
    file_name: "reading-list.csv",
    body: reading,
    description: "Books about our craft",
    tags: ["books", "data"],
  },
  {
    file_name: "editor-settings.json",
    body: settings,
    description: "The same editor on every machine",
    tags: ["setup"],
  },
  {
    file_name: "invoice.html",
    body: invoice,
    description: "A page that prints well",
    tags: ["templates"],
  },
  {
    file_name: "top-customers.sql",
    body: customers,
    description: "Sums of two years side by side",
    tags: ["data", "queries"],
  },
  {
    file_name: "hello-server.go",
    body: server,
    description: "A web server that stops politely",
    tags: ["templates", "web"],
  },
  {
    file_name: "debounce.js",
    body: debounce,
    description: "Wait until things are quiet",
    tags: ["snippets", "web"],
  },
  {
    file_name: "backup.sh",
    body: backup,
    description: "Dated copies of a folder, a few of them kept",
    tags: ["scripts"],
  },
  {
    file_name: "sunrise.svg",
    body: sunrise,
    description: "A picture made of text",
    tags: ["pictures"],
    favorite: true,
  },
  {
    file_name: "גיט ביום־יום.md",
    body: git,
    description: "הפקודות שחוזרים אליהן שוב ושוב",
    tags: ["מדריכים"],
  },
  {
    file_name: "retry.py",
    body: retry,
    description: "Call a function again when it fails",
    tags: ["snippets"],
    favorite: true,
    pinned: true,
  },
  {
    file_name: GUIDE_NAME,
    body: GUIDES[locale].body.replaceAll(ORIGIN_PLACE, origin),
    description: GUIDES[locale].description,
    tags: ["guides"],
    pinned: true,
  },
];
