/**
 * Names of files that keys and passwords are usually kept in. The command line (`public/codeshelf.mjs`) imports nothing and has
 * the same expression; a test compares them.
 */
export const SECRET_FILE =
  /^(\.env|\.env\.(?!(example|sample|template|dist)$).*|.*\.(pem|key|p12|pfx|jks|keystore|ppk)|id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$).*|\.(netrc|pgpass|pypirc|git-credentials|htpasswd))$/i;

/** Whether a file, named by itself or by its path, may hold secrets. */
export const isSecretFile = (path: string): boolean =>
  SECRET_FILE.test(path.slice(path.lastIndexOf("/") + 1));
