/** Reasons why machines did not start, as the owners of their instances read them. */
import { FencingFault } from '@steading/control-plane/ports'
import { expect, test } from 'vitest'
import { isDiskHeld, moveFailure, startFailure } from '../src/failure.ts'
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
  [
    new LibvirtError('Failed to acquire lock: No space left on device', 42),
    'Its host could not start it: it has not joined the lockspace',
  ],
  [
    new FencingFault('sanlock is not installed on the server', 'Install it'),
    'Its host could not start it: sanlock is not installed on the server',
  ],
  [new Error('a secret of the inside'), 'Its host could not start it'],
])('%s', (error, expected) => {
  expect(startFailure(error)).toBe(expected)
})

test.each([
  ['Failed to get "write" lock', true],
  ['resource busy: Failed to acquire lock: Lease is held by another host', true],
  ['Failed to acquire lock: No space left on device', false],
])('whether another host has the disk: %s', (message, expected) => {
  expect(isDiskHeld(new LibvirtError(message, 0))).toBe(expected)
})

test.each([
  [
    "internal error: unable to execute QEMU command 'object-add': Unable to access credentials /etc/pki/qemu/ca-cert.pem: No such file or directory",
    /^Its hosts do not accept each other’s certificates: .*ca-cert\.pem: No such file or directory$/,
  ],
  [
    "operation failed: job 'migration out' failed: Certificate does not match the hostname 10.0.0.2",
    /^Its hosts do not accept each other’s certificates: .*does not match the hostname 10\.0\.0\.2$/,
  ],
  [
    'operation failed: domain is no longer running',
    'Its host could not move it: operation failed: domain is no longer running',
  ],
])('a move that failed: %s', (message, expected) => {
  expect(moveFailure(new LibvirtError(message, 1))).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  )
})
