/** The hosts that an operator names as uplinks, from a file. */
import { nameProblem, type SwitchSlot, switchSlots } from '@steading/api/rules'
import { hostShell } from '@steading/commands/host-shell'
import * as z from 'zod'

/** A host whose FRR and lldpd have the uplinks of some ports of a switch. */
export interface UplinkHost {
  name: string
  /** Several hosts may share a switch; each of its ports belongs to one of them. */
  switch: SwitchSlot
  /** `local`, or an address of `ssh`. */
  host: string
  /** The path space of its FRR (`-N`); without one, the usual one. */
  frr?: string | undefined
  /** The socket of its lldpd; without one, nothing is done about LLDP. */
  lldp?: string | undefined
  /** Port → its interfaces on the host, in the order of the links of a port. */
  ports: Record<string, string[]>
}

/** Hosts that a file may name: each is looked at by processes of its own. */
const HOSTS_MAX = 64
/** Interfaces of a port: the most links of a geometry. */
const LINKS_MAX = 4

/** Linux permits more, but configurations are lines of words. */
const Interface = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,15}$/, 'is not a name of an interface')

const Name = z.string().superRefine((name, context) => {
  const problem = nameProblem(name)
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
})

const Host = z.strictObject({
  name: Name,
  switch: z.enum(switchSlots),
  host: z
    .string()
    .refine((text) => hostShell(text) !== undefined, 'is neither local nor like ssh://user@host:22')
    .default('local'),
  frr: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'is not a path space of FRR')
    .optional(),
  lldp: z
    .string()
    .regex(/^\/[A-Za-z0-9_./-]{1,100}$/, 'is not the path of a socket')
    .optional(),
  ports: z.record(
    Name,
    z.union([Interface.transform((one) => [one]), z.array(Interface).min(1).max(LINKS_MAX)]),
  ),
})

const File = z.strictObject({ hosts: z.array(Host).max(HOSTS_MAX) })

/** Something that may be there only once. */
interface Once {
  what: string
  key: string
}

/** The first name, FRR, port or interface that is there twice. */
function twice(hosts: readonly UplinkHost[]): string | undefined {
  const all = hosts.flatMap(({ name, host, frr = '', switch: slot, ports }): Once[] => [
    { what: `the name ${name}`, key: `name ${name}` },
    { what: `the FRR ${frr || 'without a path space'} of ${host}`, key: `frr ${host} ${frr}` },
    ...Object.keys(ports).map((port) => ({
      what: `the port ${slot}/${port}`,
      key: `port ${slot} ${port}`,
    })),
    ...Object.values(ports)
      .flat()
      .map((one) => ({ what: `the interface ${one} of ${name}`, key: `interface ${name} ${one}` })),
  ])
  const seen = new Set<string>()
  for (const { what, key } of all) {
    if (seen.has(key)) return what
    seen.add(key)
  }
  return undefined
}

/** The file of hosts cannot be used; its message is for operators. */
export class UplinksFileError extends Error {}

/**
 * Reads the hosts of a file.
 * @throws UplinksFileError
 */
export function readUplinkHosts(text: string): UplinkHost[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new UplinksFileError(`it is not JSON: ${(error as Error).message}`, { cause: error })
  }
  const { data, error } = File.safeParse(json)
  if (!data) {
    const { path, message } = error.issues[0]!
    throw new UplinksFileError(`${path.join('.') || 'the file'}: ${message}`)
  }
  const repeated = twice(data.hosts)
  if (repeated !== undefined) throw new UplinksFileError(`${repeated} is there twice`)
  return data.hosts
}

/** The interface of a link of a port of a host; undefined if the host has none for it. */
export const interfaceOf = (
  host: UplinkHost,
  { port, position }: { port: string; position: number },
): string | undefined => host.ports[port]?.[position]
