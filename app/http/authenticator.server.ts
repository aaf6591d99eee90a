import { Authenticator } from "remix-auth";
import { MessengerStrategy } from "#app/http/messenger-strategy.server.ts";
import type { Visit } from "#app/http/visit.ts";
import { signInUser, type User } from "#db/users.server.ts";

/** Who the messenger says is there, or a thrown 401. */
export function authenticate(visit: Visit, request: Request): Promise<User> {
  const { env, db, clock } = visit.shelf;
  const strategy = new MessengerStrategy(
    { bot: env, clock, onRefusal: ({ refused }) => db.emit("auth_refused", { reason: refused }) },
    ({ profile }) => signInUser(db, profile, clock()),
  );
  return new Authenticator<User>().use(strategy).authenticate(strategy.name, request);
}
