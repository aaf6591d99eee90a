import { z } from "zod";
import {
  checkRepoName,
  checkRepoToken,
  checkRepoUrl,
  REPO_TOKEN_MAX,
  REPO_URL_MAX,
} from "#domain/repos/repo.ts";
import { withRule } from "#domain/schema.ts";

/** An address that some installation may mirror. Whether this one may is checked where the mirror is made. */
const url = withRule(z.string(), (given) => checkRepoUrl(given, { allowLocal: true })).meta({
  maxLength: REPO_URL_MAX,
  format: "uri",
  description: "An https address without a user, a query or a fragment.",
});
const name = withRule(z.string().nullish(), (given) => (given ? checkRepoName(given) : null)).meta({
  description:
    "`owner/name`, each of 1 to 100 letters, digits, `.`, `_` and `-`; that of the address if you leave it out.",
});
const token = withRule(z.string().nullish(), checkRepoToken).meta({
  description: `At most ${REPO_TOKEN_MAX} visible ASCII characters.`,
});

/** A repository to be mirrored. */
export const repoRequest = z.strictObject({ url, name, token });
export type RepoRequest = z.output<typeof repoRequest>;

/** Another address for a mirror. */
export const repoAddress = repoRequest.omit({ name: true });

/** The part of a push that names its repository; the rest is let through unread. */
export const pushEvent = z.looseObject({
  repository: z.looseObject({
    clone_url: z
      .string()
      .max(REPO_URL_MAX)
      .refine((address) => URL.canParse(address)),
  }),
});
