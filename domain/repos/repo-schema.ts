import { z } from "zod";
import {
  checkRepoName,
  checkRepoToken,
  checkRepoUrl,
  REPO_TOKEN_MAX,
  REPO_URL_MAX,
} from "#domain/repos/repo.ts";
import { withRule } from "#domain/schema.ts";

/** Accepts every address that some installation may mirror. The store checks what this installation may mirror. */
const url = withRule(z.string(), (address) => checkRepoUrl(address, { allowLocal: true })).meta({
  maxLength: REPO_URL_MAX,
  format: "uri",
  description: "An https address without a user, a query or a fragment.",
});
const name = withRule(z.string().nullish(), (name) => (name ? checkRepoName(name) : null)).meta({
  description:
    "`owner/name`, each of 1 to 100 letters, digits, `.`, `_` and `-`; that of the address if you leave it out.",
});
const token = withRule(z.string().nullish(), checkRepoToken).meta({
  description: `At most ${REPO_TOKEN_MAX} visible ASCII characters.`,
});

export const repoRequest = z.strictObject({ url, name, token });
export type RepoRequest = z.output<typeof repoRequest>;

export const repoAddress = repoRequest.omit({ name: true });

/** The repository of a push event; all other fields are accepted unread. */
export const pushEvent = z.looseObject({
  repository: z.looseObject({
    clone_url: z
      .string()
      .max(REPO_URL_MAX)
      .refine((address) => URL.canParse(address)),
  }),
});
