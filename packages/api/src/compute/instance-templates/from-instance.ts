/** Turns the request that creates an instance into the stored form of a template. */
import { cloneDiskName } from '../instance-clones/rules.ts'
import { escaped } from './fill.ts'
import { NAME_VARIABLE, TEXT_KEY } from './rules.ts'

type Values = Record<string, unknown>
type Disk = { type: string; name: string }

/** Stands for the name of the new instance in the name of a disk. */
const PLACE = 'n'

/** The name of a disk, with the variable for the name of its instance in it. */
export const templateDiskName = (disk: string, instance: string): string =>
  `\${${NAME_VARIABLE}}${cloneDiskName(disk, instance, PLACE).slice(PLACE.length)}`

/** Texts without variables. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return escaped(value)
  if (Array.isArray(value)) return value.map(literal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, literal(inner)]))
}

const madeDisk = (disk: Disk, instance: string): Values => ({
  ...(literal(disk) as Values),
  name: templateDiskName(disk.name, instance),
})

const isMade = (disk: Disk | null | undefined): disk is Disk => disk?.type === 'create'
const isFloating = (ip: unknown) => (ip as { type?: unknown }).type === 'floating'

/** Whether a request has parts that only one instance can have, and which a template lacks. */
export const hasUnique = (body: Values): boolean =>
  ((body.external_ips as unknown[] | undefined) ?? []).some(isFloating) ||
  [body.boot_disk, ...((body.disks as unknown[] | undefined) ?? [])].some(
    (disk) => disk !== null && disk !== undefined && !isMade(disk as Disk),
  )

/**
 * The stored form of a request. It leaves away whatever only one instance or one user has: the name,
 * existing disks, floating IPs, and SSH keys, so that each instance gets those of the user who makes
 * it.
 * @param userData plain text or Base64 to include; user data may contain secrets
 */
export function templateOf(
  body: Values,
  userData?: { text: string } | { base64: string },
): Record<string, unknown> {
  const { name, hostname, user_data: _, ssh_public_keys: __, disks, boot_disk, ...rest } = body
  const instance = String(name)
  const boot = boot_disk as Disk | null | undefined
  const ips = (body.external_ips as unknown[] | undefined) ?? []
  return {
    ...(literal(rest) as Values),
    ...(hostname !== undefined && hostname !== name && { hostname: literal(hostname) }),
    external_ips: literal(ips.filter((ip) => !isFloating(ip))),
    boot_disk: isMade(boot) ? madeDisk(boot, instance) : null,
    disks: ((disks as Disk[] | undefined) ?? [])
      .filter(isMade)
      .map((disk) => madeDisk(disk, instance)),
    ...(userData && {
      user_data: 'text' in userData ? { [TEXT_KEY]: escaped(userData.text) } : userData.base64,
    }),
  }
}
