import { createHash, createHmac } from "node:crypto";
import { Strategy } from "remix-auth/strategy";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readFields, readJson } from "#app/web/door/body.server.ts";
import { isSameText } from "#app/web/session/signed-value.ts";
import type { User } from "#db/accounts/users.server.ts";
import {
  isFresh,
  parseWidgetLogin,
  toSignedText,
  type WidgetLogin,
} from "#domain/accounts/messenger-auth.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { isObject } from "#domain/typed-keys.ts";
import type { Clock } from "#platform/clock.ts";

const OWN_PARAMETERS = ["next", "state"];

type Bot = { messengerBotToken: string; messengerAuthMaxAgeSeconds: number };
type Options = { bot: Bot; clock: Clock; maxBytes: number; onRefusal: (refusal: Refusal) => void };

/** Computes the platform's hash of a sign-in: HMAC-SHA-256 keyed by the SHA-256 of the bot's token. */
function computeWidgetHash(botToken: string, fields: Record<string, string>): string {
  const key = createHash("sha256").update(botToken).digest();
  return createHmac("sha256", key).update(toSignedText(fields)).digest("hex");
}

function verifyWidgetLogin(received: Record<string, unknown>, bot: Bot, now: Date): WidgetLogin | Refusal {
  const login = parseWidgetLogin(received);
  if (isRefusal(login)) return login;
  const isGenuine =
    bot.messengerBotToken !== "" &&
    isSameText(login.hash, computeWidgetHash(bot.messengerBotToken, login.fields));
  if (!isGenuine) return Refusal("invalid_hash");
  return isFresh(login.authDateSeconds, now, bot.messengerAuthMaxAgeSeconds)
    ? login
    : Refusal("auth_expired");
}

/** Takes the widget's data as JSON, as a form, or from the query of its redirect. */
export class MessengerStrategy extends Strategy<User, WidgetLogin> {
  name = "messenger";
  readonly #options: Options;

  constructor(options: Options, verify: Strategy.VerifyFunction<User, WidgetLogin>) {
    super(verify);
    this.#options = options;
  }

  async authenticate(request: Request): Promise<User> {
    const { bot, clock, maxBytes, onRefusal } = this.#options;
    const received = await readReceivedFields(request, maxBytes);
    const login = isRefusal(received) ? received : verifyWidgetLogin(received, bot, clock());
    if (isRefusal(login)) {
      onRefusal(login);
      throw toRefusalResponse(Refusal(login.refused, { success: false, ...login.context }));
    }
    return this.verify(login);
  }
}

async function readReceivedFields(
  request: Request,
  maxBytes: number,
): Promise<Record<string, unknown> | Refusal> {
  if (request.method === "GET" || request.method === "HEAD")
    return readQueryFields(new URL(request.url).searchParams);
  if (!/\bjson\b/i.test(request.headers.get("Content-Type") ?? "")) return readFields(request, maxBytes);
  const body = await readJson(request, maxBytes);
  if (isRefusal(body)) return body;
  return isObject(body) ? body : Refusal("invalid_payload", { message: "Send a JSON object." });
}

/** Returns all parameters except ours. A repeated one keeps all its values, and is refused later because of them. */
function readQueryFields(query: URLSearchParams): Record<string, unknown> {
  const byName = Map.groupBy(query, ([name]) => name);
  for (const name of OWN_PARAMETERS) byName.delete(name);
  return Object.fromEntries(
    Array.from(byName, ([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
