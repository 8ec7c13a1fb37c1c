import { storagePoolSourceProblem } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { type MountedPool, mountedPoolXml, mountFailure } from '../../src/hosts/pool-mounts.ts'
import { LateCall, LibvirtError } from '../../src/native/errors.ts'

const child = (said: string): LibvirtError =>
  new LibvirtError(
    `internal error: Child process (/bin/mount -o nodev,nosuid,noexec -t nfs nas.example:/export /mnt/fast) unexpected exit status 32${said}`,
    1,
  )

test.each([
  {
    error: child(
      ": mount: /mnt/fast: unknown filesystem type 'nfs'.\n       dmesg(1) may have more information after failed mount system call.\n",
    ),
    reason: "unknown filesystem type 'nfs'",
  },
  {
    error: child(': mount.nfs: access denied by server while mounting nas.example:/export\n'),
    reason: 'access denied by server while mounting nas.example:/export',
  },
  { error: child(': mount.nfs: Connection refused\n'), reason: 'Connection refused' },
  {
    error: child(': Mounting glusterfs on /mnt/fast failed.\n'),
    reason: 'Mounting glusterfs on /mnt/fast failed',
  },
  { error: child(''), reason: 'mount has ended with status 32' },
  { error: child(': '), reason: 'mount has ended with status 32' },
  {
    error: new LibvirtError("cannot create path '/mnt/fast': Read-only file system", 38),
    reason: "cannot create path '/mnt/fast': Read-only file system",
  },
  { error: new LateCall('late'), reason: 'its server does not answer' },
])('a mount fails: $reason', ({ error, reason }) => {
  expect(mountFailure(error)).toBe(reason)
})

const pool = (type: MountedPool['mount']['type'], source: string): MountedPool => ({
  id: '5f0e8f3c-0000-4000-8000-000000000001',
  path: '/mnt/fast',
  mount: { type, source },
})

test('only NFS is told its version and how long to try', () => {
  expect(mountedPoolXml(pool('nfs', 'nas.example:/export/fast'))).toBe(
    '<pool type="netfs" xmlns:fs="http://libvirt.org/schemas/storagepool/fs/1.0"><name>steading-5f0e8f3c-0000-4000-8000-000000000001</name><uuid>5f0e8f3c-0000-4000-8000-000000000001</uuid><source><host name="nas.example"/><dir path="/export/fast"/><format type="nfs"/><protocol ver="4"/></source><target><path>/mnt/fast</path></target><fs:mount_opts><fs:option name="retry=0"/></fs:mount_opts></pool>',
  )
  expect(mountedPoolXml(pool('glusterfs', '[fe80::1]:/fast'))).not.toMatch(/protocol|mount_opts/)
})

test.each([
  ['nas.example:/export', true],
  ['10.0.0.7:/a/b.c', true],
  ['[fd00::7]:/export', true],
  ['n:/e', true],
  ['', false],
  ['/export', false],
  ['nas:', false],
  ['nas:/', false],
  ['nas:/a//b', false],
  ['nas:/a/', false],
  ['-nas:/a', false],
  ['nas:/a,exec', false],
  ['nas:/a\n', false],
  ['fd00::7:/export', false],
])('the source %s is right: %s', (source, isRight) => {
  expect(storagePoolSourceProblem(source) === undefined).toBe(isRight)
})
