/** The domains of a data directory, seen from outside of its servers. */
import { spawnSync } from 'node:child_process'

export const libvirtUri = process.getuid?.() === 0 ? 'qemu:///system' : 'qemu:///session'

const virsh = (...args: string[]): string =>
  spawnSync('virsh', ['-q', '-c', libvirtUri, ...args], { encoding: 'utf8' }).stdout ?? ''
const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Names of the domains. */
export const domainsOf = (data: string): string[] =>
  lines(virsh('list', '--all', '--name')).filter((name) =>
    virsh('dumpxml', name).includes(`${data}/`),
  )

/** Ends and removes the domains. */
export function removeDomains(data: string): void {
  for (const domain of domainsOf(data)) {
    virsh('destroy', domain)
    virsh('undefine', domain, '--nvram')
  }
}
