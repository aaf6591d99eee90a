import { spawn } from "node:child_process";
import { type Call, type OptionValues, toNumber } from "./command.ts";
import { readSecret } from "./input.ts";
import {
  byPath,
  downloadByPath,
  dropNames,
  findByPath,
  listContents,
  parseLibraryPath,
  requireFile,
} from "./library.ts";
import {
  cleanName,
  cleanText,
  EXIT,
  failure,
  formatCount,
  paint,
  usageFailure,
  writeMoment,
} from "./output.ts";
import { type Session, sendForJson } from "./requests.ts";
import { openSession } from "./session.ts";

export async function listFolder({ output, words, options }: Call) {
  const session = await openSession(output);
  const path = parseLibraryPath(words[0] ?? "");
  const contents = await listContents(session, path, Boolean(options.recursive));
  if (!contents) throw failure("folder_not_found", `There is no folder “${cleanName(path)}” in the library.`);
  for (const folder of contents.folders.sort(byPath))
    output.printLine(paint("blue", `${cleanName(dropNames(folder.path, path))}/`));
  for (const file of contents.files.sort(byPath)) {
    const name = cleanName(dropNames(file.path, path));
    const facts = `${String(file.size_bytes).padStart(8)}  ${writeMoment(new Date(file.updated_at), ":")}`;
    output.printLine(options.long ? `${facts}  ${name}` : name);
  }
  output.printJson({ ok: true, path, folders: contents.folders, files: contents.files });
  return EXIT.ok;
}

export async function cat({ output, words }: Call) {
  const session = await openSession(output);
  const path = parseLibraryPath(words[0] ?? "");
  const { bytes, id, version } = await requireFile(session, path);
  const content = Buffer.from(bytes).toString("utf8");
  if (output.json) output.printJson({ ok: true, path, id, version, content });
  else process.stdout.write(process.stdout.isTTY ? cleanText(content) : bytes);
  return EXIT.ok;
}

export async function search({ output, words, options }: Call) {
  const session = await openSession(output);
  const query = {
    q: words.join(" "),
    in: options.in ? String(options.in) : undefined,
    limit: options.limit ? String(options.limit) : undefined,
  };
  const answer = await sendForJson(session, "GET", "/api/search", { query });
  for (const hit of answer.hits) {
    const location = [hit.repo, hit.path ?? hit.title].filter(Boolean).join(":");
    const line = hit.line === null ? "" : paint("green", `:${hit.line}`);
    output.printLine(
      `${paint("bold", cleanName(String(location)))}${line}${hit.snippet ? `  ${markRanges(hit)}` : ""}`,
    );
  }
  if (answer.hits.length === 0) output.printRemark("Nothing found.");
  output.printJson(answer);
  return EXIT.ok;
}

function markRanges({ snippet, ranges }: { snippet: string; ranges: [number, number][] }) {
  let text = "";
  let end = 0;
  for (const [from, to] of ranges) {
    text += cleanName(snippet.slice(end, from)) + paint("yellow", cleanName(snippet.slice(from, to)));
    end = to;
  }
  return (text + cleanName(snippet.slice(end))).trim();
}

export async function openPage({ output, words, options }: Call) {
  const session = await openSession(output);
  const url = session.address + (await findPage(session, parseLibraryPath(words[0] ?? "")));
  output.printLine(url);
  output.printJson({ ok: true, url });
  if (!options.print) openInBrowser(url);
  return EXIT.ok;
}

async function findPage(session: Session, path: string) {
  if (path === "") return "/files";
  const { id, isFolder } = await findByPath(session, path);
  return isFolder ? `/files?folder=${id}` : `/file/${id}`;
}

/** A failure is ignored, because the address is printed as well. */
function openInBrowser(url: string) {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasScreen = process.platform !== "linux" || DISPLAY || WAYLAND_DISPLAY;
  if (!BROWSER && !hasScreen) return;
  const openers: Record<string, string[]> = {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  };
  const [program = "", ...given] = BROWSER ? [BROWSER] : (openers[process.platform] ?? ["xdg-open"]);
  const child = spawn(program, [...given, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

export async function share({ output, words, options }: Call) {
  const session = await openSession(output);
  const { id, isFolder } = await findByPath(session, parseLibraryPath(words[0] ?? ""));
  const address = isFolder ? `/api/folders/${id}/share` : `/api/share/${id}`;
  checkShareOptions(options, isFolder);
  const wish = {
    expires_in_days: toNumber(options.days, "--days", { least: 1 }),
    permanent: options.permanent ? true : undefined,
    lines: options.lines,
    max_views: toNumber(options.views, "--views", { least: 1 }),
    mode: options.preview ? "preview" : undefined,
    follow: options.follow ? true : undefined,
    password: options.password ? await readSecret("Password of the link: ") : undefined,
  };
  const created = await sendForJson(session, "POST", address, { json: wish });
  output.printLine(cleanName(created.url));
  if (process.stdout.isTTY && !output.json)
    output.printRemark(
      created.expires_at
        ? `The link expires on ${cleanName(created.expires_at.slice(0, 10))}.`
        : "The link does not expire.",
    );
  output.printJson(created);
  return EXIT.ok;
}

const FOR_FILES = ["lines", "views", "preview", "password"];

function checkShareOptions(options: OptionValues, isFolder: boolean) {
  if (options.days !== undefined && options.permanent)
    throw usageFailure("Give --days or --permanent, not both.");
  if (!isFolder && options.follow) throw usageFailure("--follow is for a folder, and this is a file.");
  const unfit = isFolder ? FOR_FILES.filter((name) => options[name] !== undefined) : [];
  if (unfit.length > 0) throw usageFailure(`--${unfit[0]} is for a file, and this is a folder.`);
}

export async function note({ output, words }: Call) {
  const session = await openSession(output);
  const [location = "", ...rest] = words;
  const [, name, line] = /^(.*?)(?::(\d+))?$/s.exec(location) ?? [];
  const content = rest.join(" ");
  if (content.trim() === "") throw usageFailure("Give the text of the note.");
  // A file whose own name ends in a colon and a number comes first.
  const file = line ? await downloadByPath(session, parseLibraryPath(location), "HEAD") : null;
  const id = file ? file.id : await findFileToNote(session, parseLibraryPath(name ?? ""), line);
  const json = { content, line_start: line && !file ? Number(line) : undefined };
  const created = await sendForJson(session, "POST", `/api/sticky-notes/${encodeURIComponent(id)}`, { json });
  output.printLine(`${session.address}/note/${encodeURIComponent(created.id)}`);
  output.printJson(created);
  return EXIT.ok;
}

/** The file that a note goes on; it has the line, if one is named. */
async function findFileToNote(session: Session, path: string, line: string | undefined) {
  const file = await requireFile(session, path, line ? "GET" : "HEAD");
  if (!line) return file.id;
  const text = Buffer.from(file.bytes).toString("utf8");
  const count = text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
  if (Number(line) < 1 || Number(line) > count)
    throw failure("no_such_line", `“${cleanName(path)}” has ${formatCount(count, "line")}.`);
  return file.id;
}
