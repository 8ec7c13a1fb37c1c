/** What lldpd is to say on behalf of links, and what it has heard. */
import type { LldpTexts } from '@steading/control-plane/ports'
import * as z from 'zod'
import type { DesiredInterface } from './config/desired.ts'

const Value = z.object({ value: z.string() })
const values = z.array(Value).optional()
/** The first of the values that lldpd puts into lists. */
const first = (list: { value: string }[] | undefined): string | undefined => list?.[0]?.value

const Id = z.array(z.object({ type: z.string(), value: z.string().optional() })).optional()
const Chassis = z.object({
  id: Id,
  name: values,
  descr: values,
  'mgmt-ip': values,
})
const Port = z.object({ id: Id, descr: values })

const Interface = z.object({
  name: z.string(),
  status: values,
  age: z.string().optional(),
  chassis: z.array(Chassis).optional(),
  port: z.array(Port).optional(),
})

/** Both `show interfaces` and `show neighbors` (json0). */
export const LldpInterfaces = z
  .object({ lldp: z.array(z.object({ interface: z.array(Interface).optional() })) })
  .transform(({ lldp }) => lldp.flatMap((one) => one.interface ?? []))
export type LldpInterface = z.infer<typeof Interface>

export const LldpConfiguration = z
  .object({
    configuration: z.array(
      z.object({
        config: z.array(
          z.object({
            hostname: values,
            description: values,
            'mgmt-pattern': values,
            'cid-string': values,
          }),
        ),
      }),
    ),
  })
  .transform(({ configuration }) => configuration[0]?.config[0] ?? {})
type Configuration = z.infer<typeof LldpConfiguration>

/** A text that stays in its line. */
const isPlain = (text: string): boolean =>
  !/\p{Cc}/u.test(text) && text.trim() === text && text !== ''

/** What lldpd says about the whole host: text of a link → where its configuration has it. */
const ofHost = {
  system_name: { shown: 'hostname', command: ['system', 'hostname'] },
  system_description: { shown: 'description', command: ['system', 'description'] },
  management_ip: { shown: 'mgmt-pattern', command: ['system', 'ip', 'management', 'pattern'] },
  chassis_id: { shown: 'cid-string', command: ['system', 'chassisid'] },
} as const satisfies Partial<
  Record<keyof LldpTexts, { shown: keyof Configuration; command: readonly string[] }>
>

export interface LldpPlan {
  /** Arguments of the client of lldpd, a list for each command. */
  commands: string[][]
  problems: string[]
}

/** The commands after which lldpd says what the links are to say. */
export function lldpPlan(
  desired: readonly DesiredInterface[],
  interfaces: readonly LldpInterface[],
  configuration: Configuration,
): LldpPlan {
  const commands: string[][] = []
  const problems: string[] = []
  const text = (given: string | null | undefined, what: string): string | undefined => {
    if (given === null || given === undefined) return undefined
    if (isPlain(given)) return given
    problems.push(`${what} of LLDP is left out: it is not a line of text`)
    return undefined
  }
  for (const { name, lldp, lldpTexts } of desired) {
    const its = interfaces.find((one) => one.name === name)
    if (!its) {
      if (lldp) problems.push(`lldpd does not know the interface ${name}`)
      continue
    }
    const configure = (...words: string[]) =>
      void commands.push(['configure', 'ports', name, 'lldp', ...words])
    const isOff = first(its.status)?.toLowerCase() === 'disabled'
    if (lldp && first(its.status) !== 'RX and TX') configure('status', 'rx-and-tx')
    if (!lldp && !isOff) configure('status', 'disabled')
    if (!lldp) continue
    const port = its.port?.[0]
    const id = port?.id?.[0]
    const wantedId = text(lldpTexts.link_name, `the name of ${name}`)
    if (wantedId !== undefined && !(id?.type === 'local' && id.value === wantedId)) {
      configure('portidsubtype', 'local', wantedId)
    }
    if (wantedId === undefined && id?.type === 'local') configure('portidsubtype', 'macaddress')
    const description = text(lldpTexts.link_description, `the description of ${name}`) ?? name
    if (first(port?.descr) !== description) configure('portdescription', description)
  }
  const speaking = desired.filter(({ lldp }) => lldp)
  if (speaking.length === 0) return { commands, problems }
  for (const [key, { shown, command }] of Object.entries(ofHost)) {
    const all = new Set(
      speaking.flatMap(({ lldpTexts }) => text(lldpTexts[key as keyof typeof ofHost], key) ?? []),
    )
    const [wanted, other] = [...all]
    if (other !== undefined) {
      problems.push(`lldpd has one ${key} for all links, and they have several: ${wanted} is said`)
    }
    const present = first(configuration[shown]) ?? '(none)'
    if (present === (wanted ?? '(none)')) continue
    commands.push(
      wanted === undefined ? ['unconfigure', ...command] : ['configure', ...command, wanted],
    )
  }
  return { commands, problems: [...new Set(problems)] }
}
