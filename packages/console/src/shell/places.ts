import type { FoundThing } from '@steading/api/client'
import { type ListedKind, thingWords } from '@steading/api/rules'
import { pathTo } from './path-to.ts'

/** Where a thing is shown; undefined for kinds without a page. */
const pathOf: Record<ListedKind, ((project: string, name: string) => string) | undefined> = {
  project: (_, project) => pathTo('/projects/$project/instances', { project }),
  instance: (project, instance) =>
    pathTo('/projects/$project/instances/$instance/storage', { project, instance }),
  disk: (project, disk) => pathTo('/projects/$project/disks/$disk', { project, disk }),
  snapshot: (project, name) => `${pathTo('/projects/$project/snapshots', { project })}?q=${name}`,
  image: (project, image) => pathTo('/projects/$project/images/$image', { project, image }),
  silo_image: (_, image) => pathTo('/images/$image', { image }),
  floating_ip: (project, floatingIp) =>
    pathTo('/projects/$project/floating-ips/$floatingIp/edit', { project, floatingIp }),
  affinity_group: undefined,
  anti_affinity_group: (project, antiAffinityGroup) =>
    pathTo('/projects/$project/affinity/$antiAffinityGroup', { project, antiAffinityGroup }),
  ssh_key: (_, sshKey) => pathTo('/settings/ssh-keys/$sshKey/edit', { sshKey }),
}

/** A thing that was found, as an entry of the palette. */
export function entryOf({ kind, name, projectName, address }: FoundThing) {
  const path = pathOf[kind]?.(projectName ?? '', name)
  if (!path) return undefined
  const where = [address, thingWords(kind), projectName && `in ${projectName}`]
  return { label: name, path, detail: where.filter(Boolean).join(' ') }
}
