/** The paths of sockets have a limit. */
import { expect, test } from 'vitest'
import { socketsProblem } from '../src/sockets.ts'

const user = (home: string, env: NodeJS.ProcessEnv = {}) => ({ uid: 1000, home, env })
const XDG_RUNTIME_DIR = '/run/user/1000'

test.each([
  ['root', 'qemu:///system', { uid: 0, home: '/root', env: {} }, undefined],
  ['a person', 'qemu:///session', user('/home/ada', { XDG_RUNTIME_DIR }), undefined],
  [
    'a long name',
    'qemu:///session',
    user('/home/firstname.lastname', { XDG_RUNTIME_DIR }),
    undefined,
  ],
  ['the Debian package', 'qemu:///session', user('/var/lib/steading'), undefined],
  [
    'a home that is too long',
    'qemu:///session',
    user(`/home/${'a'.repeat(40)}`),
    'XDG_RUNTIME_DIR',
  ],
  [
    "a home that is too long for libvirt's own socket",
    'qemu:///session',
    user(`/home/${'a'.repeat(40)}`, { XDG_RUNTIME_DIR }),
    'XDG_CONFIG_HOME',
  ],
])('the sockets of %s have short paths, or the advice names a variable', (_, uri, of, variable) => {
  const problem = socketsProblem(uri, of)
  if (variable === undefined) expect(problem).toBeUndefined()
  else expect(problem?.advice).toContain(variable)
})
