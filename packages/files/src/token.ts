/** A token in a directory, by which a database recognises that directory as its own. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './errors.ts'
import { ifMissing, writeNew } from './files.ts'

/** Name of its file. */
export const TOKEN_FILE = 'token'

/** The token in a directory; undefined if there is none. */
export const tokenIn = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, TOKEN_FILE), 'utf8').then((text) => text.trim(), ifMissing(undefined))

/**
 * The token in a directory, created if there is none.
 * @param token the one to create; a new one by default
 */
export async function ensureToken(
  directory: string,
  token: string = crypto.randomUUID(),
): Promise<string> {
  try {
    await writeNew(join(directory, TOKEN_FILE), `${token}\n`)
  } catch (error) {
    // Another server that is starting has written its token first.
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return (await tokenIn(directory))!
}
