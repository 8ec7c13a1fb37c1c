/** Some fields of a value, as they are. */
export function pick<T extends object, K extends keyof T>(from: T, ...fields: K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>
  for (const field of fields) picked[field] = from[field]
  return picked
}
