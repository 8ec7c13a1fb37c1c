import { expect, test } from 'vitest'
import { qemuUser } from '../src/files.ts'

const capabilities = (label: string) => `<secmodel><doi>0</doi>
  <baselabel type='kvm'>${label}</baselabel>
  <baselabel type='qemu'>${label}</baselabel></secmodel>`

test('QEMU has a user of its own, unless that is root or the server', () => {
  expect(qemuUser(capabilities('+64055:+108'))).toEqual({ uid: 64_055, gid: 108 })
  expect(qemuUser(capabilities('+0:+0'))).toBeUndefined()
  expect(qemuUser('<secmodel/>')).toBeUndefined()
})
