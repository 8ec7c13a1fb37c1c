/** Argon2id, supplied by the host: native where there is one, WebAssembly in the browser. */
export interface PasswordHasher {
  /** A PHC string holding algorithm, cost, salt and hash. */
  hash: (password: string) => Promise<string>
  /** Compares in constant time. */
  verify: (password: string, phc: string) => Promise<boolean>
  /** Whether a password is one of the most common ones, in lower case; absent without a list. */
  isCommon?: (password: string) => Promise<boolean>
}
