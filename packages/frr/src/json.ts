/** What daemons say, in JSON that is checked before anything of it is used. */
import type * as z from 'zod'
import type { Reply } from './ask.ts'

/** A daemon does not answer, or says something that is not understood. */
export class DaemonError extends Error {}

/**
 * The answer of a daemon.
 * @param what asked, for messages
 * @throws DaemonError
 */
export function answerOf<T>({ output, status }: Reply, schema: z.ZodType<T>, what: string): T {
  const begin = output.trim().slice(0, 200)
  if (status !== 0) throw new DaemonError(`${what} failed: ${begin}`)
  let json: unknown
  try {
    json = JSON.parse(output)
  } catch {
    throw new DaemonError(`${what} is not understood: ${begin}`)
  }
  const { data, error } = schema.safeParse(json)
  if (error) {
    const { path, message } = error.issues[0]!
    throw new DaemonError(`${what} is not understood: ${path.join('.')}: ${message}`)
  }
  return data as T
}
