/**
 * Names of files that keys and passwords are usually kept in, and of the copies that editors, systems and the trash make of them: `.env (2)`.
 * The command line (`public/codeshelf.mjs`) imports nothing and has the same expression; a test compares them.
 */
export const SECRET_FILE =
  /^(\.env(?![a-z0-9])(?!\.(example|sample|template|dist)$).*|id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$).*|(.*\.(pem|key|p12|pfx|jks|keystore|ppk)|\.envrc|[._]netrc|\.(pgpass|pypirc|git-credentials|htpasswd))(~|\.(bak|backup|old|orig|save|swp|\d+)| \(\d+\)|( -)? copy( \d+)?)*)$/is;

/** Whether a file, named by itself or by its path, may hold secrets. */
export const isSecretFile = (path: string): boolean =>
  SECRET_FILE.test(path.slice(path.lastIndexOf("/") + 1));
