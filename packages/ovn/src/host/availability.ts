/** Whether this host can have networks by OVN. */
import { access } from 'node:fs/promises'
import { constants } from 'node:fs'
import { hasCommand } from '@steading/commands'

/** What is missing, and what to do about it. */
export interface Missing {
  reason: string
  remedy: string
}

const PACKAGES = 'ovn-central ovn-host openvswitch-switch nftables iproute2 ethtool procps'

const permits = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )

/** What this host needs in order to reach OVN's databases. */
export interface OvnNeeds {
  /** Paths of the sockets of the databases, where these are on this host. */
  sockets?: readonly string[]
  /** Paths of a key and certificates, where the databases are reached by TLS. */
  files?: readonly string[]
}

export async function ovnMissing({
  sockets = [],
  files = [],
}: OvnNeeds): Promise<Missing | undefined> {
  if (process.getuid?.() !== 0) {
    return { reason: 'only root can connect machines to OVN', remedy: 'start the server as root' }
  }
  const install = `apt-get install ${PACKAGES}`
  for (const command of ['ovs-vsctl', 'nft', 'ip', 'ethtool', 'sysctl']) {
    if (!(await hasCommand(command)))
      return { reason: `${command} is not installed`, remedy: install }
  }
  for (const socket of sockets) {
    if (!(await permits(socket, constants.R_OK | constants.W_OK))) {
      return {
        reason: `there is no OVN at ${socket}`,
        remedy: `${install}, and start the services ovn-central and ovn-host`,
      }
    }
  }
  for (const file of files) {
    if (!(await permits(file, constants.R_OK))) {
      return {
        reason: `${file} cannot be read`,
        remedy:
          'name the files by --ovn-private-key, --ovn-certificate and --ovn-ca, or have them made by ovs-pki',
      }
    }
  }
  return undefined
}
