import type { Db } from "#db/client.ts";
import { hasSameEpoch } from "#domain/accounts/credential.ts";

/** The account's state that decides if anything may act for it. */
type AccountState = { credential_epoch: number; isLocked: boolean };

export async function findAccountStates(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, AccountState>> {
  const docs = await db.users
    .find({ _id: { $in: [...new Set(userIds)] } }, { projection: { credential_epoch: 1, locked_at: 1 } })
    .toArray();
  return new Map(
    docs.map(({ _id, credential_epoch = 0, locked_at }) => [
      _id,
      { credential_epoch, isLocked: locked_at !== undefined },
    ]),
  );
}

export async function findAccountState(db: Db, userId: string): Promise<AccountState | null> {
  return (await findAccountStates(db, [userId])).get(userId) ?? null;
}

export async function isAccountLocked(db: Db, userId: string): Promise<boolean> {
  return (await findAccountState(db, userId))?.isLocked ?? false;
}

export function isCredentialActive(
  credential: { epoch?: number },
  account: AccountState | undefined,
): boolean {
  return account !== undefined && !account.isLocked && hasSameEpoch(credential, account);
}

/** Filters credentials of earlier epochs. The first epoch has no earlier ones. */
export const toOlderEpochFilter = (epoch: number) => ({
  epoch: epoch === 0 ? { $lt: 0 } : { $not: { $gte: epoch } },
});
