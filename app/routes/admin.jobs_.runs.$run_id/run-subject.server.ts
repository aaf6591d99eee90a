import { findPerson } from "#db/accounts/people.server.ts";
import type { Db } from "#db/client.ts";
import { findRepoDoc } from "#db/repos/repos.server.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type NamedSubject = { name: string; href: string | null };

/** Names the mirror and the person whose ids are in a run's payload. Null if one no longer exists. */
export type RunSubject = { repo: NamedSubject | null; person: NamedSubject | null };

/** Finds the repository and the person that a run is about. Only its owner can open a mirror; every administrator can open the account. */
export async function findRunSubject(
  db: Db,
  payload: Record<string, unknown> | undefined,
  readerId: string,
): Promise<RunSubject> {
  const repo = typeof payload?.repo_id === "string" ? await findRepoDoc(db, payload.repo_id) : null;
  const userId = repo?.user_id ?? payload?.user_id;
  const person = typeof userId === "string" ? await findPerson(db, userId) : null;
  return {
    repo: repo && {
      name: repo.repo_name,
      href: repo.user_id === readerId ? repoPlace(repo.repo_name) : null,
    },
    person: person && { name: person.name, href: `/admin/users?${new URLSearchParams({ q: person.id })}` },
  };
}
