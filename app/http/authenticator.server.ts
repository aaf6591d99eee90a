import { Authenticator } from "remix-auth";
import { MessengerStrategy } from "#app/http/messenger-strategy.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import type { Visit } from "#app/http/visit.ts";
import { removeLeaving } from "#db/account.server.ts";
import { signInUser, type User } from "#db/users.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Who the messenger says is there, or a thrown 401. */
export function authenticate(visit: Visit, request: Request): Promise<User> {
  const { env, db, clock } = visit.shelf;
  const strategy = new MessengerStrategy(
    { bot: env, clock, onRefusal: ({ refused }) => db.emit("auth_refused", { reason: refused }) },
    async ({ profile }) => {
      // Whoever deleted their account begins anew once nothing of the old one is left.
      if (!(await removeLeaving(db, profile.id, clock)))
        throw refusalResponse(Refusal("account_leaving", { success: false }));
      return signInUser(db, profile, clock());
    },
  );
  return new Authenticator<User>().use(strategy).authenticate(strategy.name, request);
}
