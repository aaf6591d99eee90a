import { findPerson } from "#db/accounts/people.server.ts";
import type { Db } from "#db/client.ts";
import { findRepoDoc } from "#db/repos/repos.server.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type Named = { name: string; href: string | null };

/** What a run is about, by names: the mirror and the person that its payload gives by their ids. Null where it is gone. */
export type RunSubject = { repo: Named | null; person: Named | null };

/** A mirror is opened by its owner alone; every administrator may look at the account. */
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
