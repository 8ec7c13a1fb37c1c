import { expect, test } from 'vitest'
import { withoutPaths } from '../src/host-paths.ts'

test.each([
  ["Could not open '/srv/my data/volumes/a.qcow2'", "Could not open 'a.qcow2'"],
  ['cannot read "/var/lib/x y/z"', 'cannot read "z"'],
  ['/home/some.one/data/libvirt/b.qcow2: Permission denied', 'b.qcow2: Permission denied'],
  ['file=/etc/shadow,format=raw', 'file=shadow,format=raw'],
  ['no device /data', 'no device data'],
  ['read and/or write 1/2 failed', 'read and/or write 1/2 failed'],
])('a message of a program has no path of the host: %s', (text, expected) => {
  expect(withoutPaths(text)).toBe(expected)
})
