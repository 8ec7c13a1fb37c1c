/**
 * The paths of sockets. Linux takes at most 107 bytes, and the paths that libvirt chooses grow with
 * its directories and with the number of a domain. So the sockets of machines are in the runtime
 * directory; only QEMU's monitor stays where libvirt has it.
 */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { domainName } from './domain-names.ts'

/** Bytes of the path of a socket. */
const PATH_MAX = 107

/** Names of the sockets of a machine. */
export const socketNames = { serial: 'serial', vnc: 'vnc', agent: 'agent' } as const

/** The user whose libvirt runs the machines. */
interface User {
  uid: number | undefined
  home: string
  env: NodeJS.ProcessEnv
}

const present = (): User => ({ uid: process.getuid?.(), home: homedir(), env: process.env })

/** The directory for sockets. It is gone when the host restarts, and so are the machines. */
export function runtimeDirectory({ uid, home, env }: User = present()): string {
  if (uid === 0) return '/run/steading'
  return join(env.XDG_RUNTIME_DIR ?? join(home, '.cache'), 'steading')
}

/**
 * The directory for the sockets of all machines of a data directory.
 * @param owner the id of the data directory
 */
export const socketsOf = (owner: string, user?: User): string =>
  join(runtimeDirectory(user), createHash('sha256').update(owner).digest('hex').slice(0, 8))

const ID = '00000000-0000-0000-0000-000000000000'
/** A number of a domain that hosts rarely reach: libvirt counts starts. */
const DOMAIN_NUMBER = 99_999
/** Characters of a domain's name in the paths of libvirt. */
const SHORT_NAME = 20

/** The path of QEMU's monitor, which libvirt chooses. */
function monitorPath(uri: string, { home, env }: User): string {
  const base = uri.startsWith('qemu:///system')
    ? '/var/lib'
    : (env.XDG_CONFIG_HOME ?? join(home, '.config'))
  const domain = `domain-${DOMAIN_NUMBER}-${domainName(ID).slice(0, SHORT_NAME)}`
  return join(base, 'libvirt/qemu/lib', domain, 'monitor.sock')
}

/**
 * Why machines do not start, or soon will not, with the advice; undefined if the paths of all sockets
 * are short enough.
 * @param uri address of libvirt
 */
export function socketsProblem(
  uri: string,
  user: User = present(),
): { reason: string; advice: string } | undefined {
  const sockets = [
    ...Object.values(socketNames).map((name) => ({
      path: join(socketsOf(ID, user), ID, name),
      advice: 'set XDG_RUNTIME_DIR to a directory with a short path',
    })),
    {
      path: monitorPath(uri, user),
      advice:
        'set XDG_CONFIG_HOME to a directory with a short path, and restart libvirt of this user',
    },
  ]
  for (const { path, advice } of sockets) {
    const bytes = Buffer.byteLength(path)
    if (bytes <= PATH_MAX) continue
    const reason = `the path of a socket would have ${bytes} bytes, and ${PATH_MAX} are possible: ${path}`
    return { reason, advice }
  }
  return undefined
}
