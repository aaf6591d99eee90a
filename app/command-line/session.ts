import { chmod, mkdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Call } from "./command.ts";
import { readSecret } from "./input.ts";
import { writeAtomically } from "./local-files.ts";
import {
  cleanName,
  describeStart,
  EXIT,
  Failure,
  failure,
  hasCode,
  messageFrom,
  type Output,
  paint,
  usageFailure,
} from "./output.ts";
import { type Session, sendForJson } from "./requests.ts";

export const configFile = () =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "codeshelf", "config.json");

async function readConfig(): Promise<{ address?: string; token?: string }> {
  try {
    const config = JSON.parse(await readFile(configFile(), "utf8"));
    return typeof config === "object" && config !== null ? config : {};
  } catch (error) {
    if (hasCode(error, "ENOENT")) return {};
    throw failure("config_unreadable", `${configFile()} cannot be read: ${messageFrom(error)}`);
  }
}

function parseAddress(typed: string) {
  const isBare = !/^[a-z][a-z\d+.-]*:\/\//i.test(typed);
  const isLocal = /^(localhost|127\.|\[::1\])/i.test(typed);
  const url = isBare ? `${isLocal ? "http" : "https"}://${typed}` : typed;
  if (!URL.canParse(url)) throw usageFailure(`“${cleanName(typed)}” is not an address.`);
  const { origin, protocol, pathname, search, username } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw usageFailure("The address begins with https://");
  if (pathname !== "/" || search !== "" || username !== "")
    throw usageFailure("Give the address of the server alone, such as https://shelf.example.com");
  return origin;
}

/** The stored login; CODESHELF_ADDRESS and CODESHELF_TOKEN win. */
export async function openSession(output: Output): Promise<Session> {
  const config = await readConfig();
  const fromEnvironment = process.env.CODESHELF_ADDRESS;
  const address = fromEnvironment ? parseAddress(fromEnvironment) : config.address;
  // A stored token goes to the server that it was stored for and to no other.
  const stored = address === config.address ? config.token : undefined;
  const token = process.env.CODESHELF_TOKEN || stored;
  if (!address || !token)
    throw new Failure(
      EXIT.notLoggedIn,
      "not_logged_in",
      `You are not logged in. Run: ${describeStart()} login ${address ?? "<address>"}`,
    );
  return { address, token, output };
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export async function login({ output, words }: Call) {
  const address = parseAddress(words[0] ?? "");
  const { protocol, hostname } = new URL(address);
  if (protocol === "http:" && !LOOPBACK.test(hostname))
    output.printRemark(
      paint("yellow", `${address} is not encrypted: others on the way can read the token.`, process.stderr),
    );
  if (!process.env.CODESHELF_TOKEN && process.stdin.isTTY)
    output.printRemark(`Create a token at ${address}/settings/tokens and paste it here.`);
  const token = process.env.CODESHELF_TOKEN || (await readSecret("Token: "));
  if (!/^[\x21-\x7e]{8,500}$/.test(token)) throw usageFailure("This is not a token.");
  const me = await sendForJson({ address, token, output }, "GET", "/api/me");
  if (typeof me?.authenticated !== "boolean")
    throw failure("unexpected_answer", `${address} does not answer as Codeshelf does.`);
  if (!me.authenticated)
    throw new Failure(EXIT.notLoggedIn, "auth_required", `${address} does not accept this token.`);
  const folder = dirname(configFile());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await writeAtomically(configFile(), `${JSON.stringify({ address, token }, null, 2)}\n`, { mode: 0o600 });
  output.printLine(`Logged in to ${address} as ${cleanName(String(me.user?.first_name ?? ""))}.`);
  output.printJson({ ok: true, address, user: me.user });
  return EXIT.ok;
}

export async function logout({ output }: Call) {
  const { address, token } = await readConfig();
  await rm(configFile(), { force: true });
  if (!token) output.printLine("You were not logged in.");
  else output.printLine(`Logged out. To make the token useless, revoke it at ${address}/settings/tokens`);
  output.printJson({ ok: true, was_logged_in: Boolean(token) });
  return EXIT.ok;
}
