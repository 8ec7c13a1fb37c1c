/**
 * Clocks of servers, and of PostgreSQL, that tests set: libfaketime tells a process another time than
 * that of the machine, and leaves its monotonic clock and the times of files alone.
 */
import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './process.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** Why servers cannot have clocks of their own here; undefined if they can. */
export const clocksMissing = (): string | undefined =>
  existsSync(LIBRARY) ? undefined : 'faketime is not installed'

export interface ServerClock {
  /** Variables of a process that shows this clock. */
  variables: Record<string, string>
  /** Sets the clock, also of processes that run: minutes by which it is ahead. */
  set: (minutes: number) => void
}

/** @param minutes by which it is ahead of the clock of the machine */
export function createClock(minutes: number): ServerClock {
  const directory = temporaryDirectory()
  // PostgreSQL does not run as root.
  chmodSync(directory, 0o755)
  const path = join(directory, 'offset')
  const set = (ahead: number): void => {
    // A process may be reading the file.
    const made = join(directory, 'next')
    writeFileSync(made, `${ahead < 0 ? '' : '+'}${ahead * 60}\n`)
    renameSync(made, path)
  }
  set(minutes)
  return {
    variables: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    set,
  }
}
