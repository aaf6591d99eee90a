import { coded, worded } from "#domain/reason.ts";

/** The reasons why a person is not signed in, or a login method is not added or removed. */
export const SIGN_IN_REASONS = {
  auth_required: worded(401, "Authentication required"),
  invalid_hash: worded(401, "Invalid authentication"),
  auth_expired: worded(401, "Invalid authentication"),
  missing_field: worded(401, "Invalid authentication"),
  unknown_login_state: worded(401, "Invalid authentication"),
  login_used: worded(401, "Invalid authentication"),
  wrong_sign_in_code: coded(403, "wrong_sign_in_code", "Wrong code. Use the one printed at the start."),
  identity_taken: coded(409, "identity_taken", "This login method belongs to another account."),
  identity_limit: coded(409, "identity_limit", "You have 20 login methods, the maximum. Remove one first."),
  last_identity: coded(409, "last_identity", "This is your only login method. Add another one first."),
  identity_not_found: coded(404, "identity_not_found", "Already removed."),
  sign_up_closed: coded(403, "sign_up_closed", "This server takes no new accounts."),
  invitation_needed: coded(403, "invitation_needed", "You need an invitation to have an account here."),
  invitation_ended: coded(403, "invitation_ended", "This invitation was used or has expired."),
  invitation_not_found: coded(404, "invitation_not_found", "Already removed."),
  invitation_limit: coded(
    409,
    "invitation_limit",
    "There are 100 open invitations, the maximum. Remove one first.",
  ),
  join_request_limit: coded(429, "join_request_limit", "Too many requests to join are waiting. Try later."),
  join_request_not_found: coded(404, "join_request_not_found", "Already answered."),
  login_cancelled: coded(401, "login_cancelled", "The login was cancelled."),
  oidc_failed: coded(401, "oidc_failed", "The login was not confirmed. Try again."),
  passkey_failed: coded(401, "passkey_failed", "The passkey was not accepted. Try again."),
  passkey_unknown: coded(401, "passkey_unknown", "This passkey opens no account here."),
  invalid_passkey_name: coded(400, "invalid_passkey_name", "Give the passkey a name of up to 60 characters."),
  oidc_unavailable: coded(503, "oidc_unavailable", "The login provider does not respond. Try again later."),
};
