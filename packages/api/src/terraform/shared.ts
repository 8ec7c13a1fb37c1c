/** Helpers for resources of several areas. */
import type { Args, DiskCreate, MethodName } from '../client/index.ts'
import { isUuid } from '../rules.ts'
import type { Configuration, Kind } from './configuration.ts'
import { Expression, hclQuote, Remark, type Hcl } from './hcl.ts'
import { parsePlaceholder } from './placeholders.ts'

export type Writers = { [M in MethodName]?: (args: Args<M>, to: Configuration) => void }

export const existingRemark = (wanted: string) => new Remark(`# the ${wanted} there are, and:`)

/** An instance named by a call; the provider declares attachments in the instance's resource. */
export function changeInstance(
  to: Configuration,
  instance: string,
  attributes: Record<string, Hcl>,
): void {
  to.change('oxide_instance', to.nameOf('instance', instance), attributes)
  to.note('The provider stops an instance to change it, and starts it again.')
}

export const removed = (to: Configuration, what: string, from: string) =>
  to.note(`Remove ${what} from ${from} in the configuration.`)

export const deletion = (to: Configuration, resource: string, kind: Kind, nameOrId: string) =>
  to.note(
    `Remove the ${resource} of “${to.nameOf(kind, nameOrId)}” from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
  )

/** The ID of a resource without a data source in the provider; null if unknown. */
export const cachedId = (to: Configuration, kind: Kind, nameOrId: string): Hcl =>
  to.referenceTo(nameOrId) ??
  (isUuid(nameOrId) ? nameOrId : (to.findCached(kind, nameOrId)?.id ?? null))

export function contentsOf(text: string): Hcl {
  const file = parsePlaceholder(text)
  return file ? new Expression(`filebase64(${hclQuote(file.name)})`) : text
}

export function diskResource(to: Configuration, project: string, disk: DiskCreate): void {
  const { name, description, size, diskBackend } = disk
  const common = { project_id: to.idOf('project', project), name, description, size }
  if (diskBackend.type === 'local') {
    return to.resource('oxide_disk', name, { ...common, disk_type: 'local' })
  }
  const source = diskBackend.diskSource
  if (source.type === 'image' || source.type === 'snapshot') {
    return to.resource('oxide_disk', name, {
      ...common,
      ...(source.type === 'image'
        ? { source_image_id: to.idOf('image', source.imageId) }
        : { source_snapshot_id: to.idOf('snapshot', source.snapshotId) }),
      read_only: source.readOnly || undefined,
    })
  }
  if (source.type === 'importing_blocks') {
    return to.note('The Terraform provider has no resource for writing a file to a disk.')
  }
  return to.resource('oxide_disk', name, { ...common, block_size: source.blockSize })
}
