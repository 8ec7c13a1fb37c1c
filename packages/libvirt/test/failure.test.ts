/** Reasons why machines did not start, as the owners of their instances read them. */
import { expect, test } from 'vitest'
import { startFailure } from '../src/failure.ts'
import { LibvirtError, NotInstalled } from '../src/native/errors.ts'

test.each([
  [
    new LibvirtError(
      `internal error: process exited while connecting to monitor: 2026-11-26T14:35:38.725621Z qemu-system-x86_64: -blockdev {"driver":"file","filename":"/var/lib/volumes/1f"}: Could not open '/var/lib/volumes/1f': Permission denied`,
      1,
    ),
    "Its host could not start it: Could not open '1f': Permission denied",
  ],
  [
    new LibvirtError('internal error: cannot allocate memory', 1),
    'Its host could not start it: cannot allocate memory',
  ],
  [
    new NotInstalled('libarchive is missing.'),
    'Its host could not start it: libarchive is missing',
  ],
  [new Error('a secret of the inside'), 'Its host could not start it'],
])('%s', (error, expected) => {
  expect(startFailure(error)).toBe(expected)
})
