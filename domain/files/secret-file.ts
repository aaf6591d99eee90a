/** Names of files that usually hold keys or passwords, and of their copies by editors, systems and the trash, such as `.env (2)`. */
const SECRET_FILE =
  /^(\.env(?![a-z0-9])(?!\.(example|sample|template|dist)$).*|id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$).*|(.*\.(pem|key|p12|pfx|jks|keystore|ppk)|\.envrc|[._]netrc|\.(pgpass|pypirc|git-credentials|htpasswd))(~|\.(bak|backup|old|orig|save|swp|\d+)| \(\d+\)|( -)? copy( \d+)?)*)$/is;

/** Takes a file name or a path. */
export const isSecretFile = (path: string): boolean =>
  SECRET_FILE.test(path.slice(path.lastIndexOf("/") + 1));
