/** Concurrent use of a data directory. */
import { onTestFinished, expect, test } from 'vitest'
import { lockDataDirectory } from '../src/data-lock.ts'
import { StartError } from '../src/errors.ts'
import { temporaryDirectory } from './support/process.ts'

const take = (directory: string, shared: boolean) => {
  const lock = lockDataDirectory(directory, { shared })
  onTestFinished(lock.release)
  return lock
}

test('servers on one PostgreSQL share it; a server with the embedded database has it alone', () => {
  const directory = temporaryDirectory()
  const first = take(directory, true)
  const second = take(directory, true)
  expect(() => take(directory, false)).toThrow(StartError)
  first.release()
  expect(() => take(directory, false)).toThrow(/in use by another process/)
  second.release()
  const alone = take(directory, false)
  expect(() => take(directory, true)).toThrow(/in use by another process/)
  alone.release()
  take(directory, true)
})
