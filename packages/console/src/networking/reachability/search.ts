/** The question whether one end reaches another, as search parameters of a page. */
export const protocols = ['tcp', 'udp', 'icmp'] as const

/**
 * The search parameters. An end is `internet`, an IP address, or `instance:` with the name of an
 * instance and optionally of an interface.
 */
export interface QuestionSearch {
  from?: string
  to?: string
  protocol?: (typeof protocols)[number]
  port?: number
  type?: number
  code?: number
  version?: 'v4' | 'v6'
  /** The VPC of private addresses, if no end is an instance. */
  vpc?: string
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) ? value : undefined

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value)

export function readQuestionSearch(search: Record<string, unknown>): QuestionSearch {
  const { from, to, protocol, port, type, code, version, vpc } = search
  const all: { [K in keyof QuestionSearch]: QuestionSearch[K] | undefined } = {
    from: text(from),
    to: text(to),
    protocol: oneOf(protocols, protocol),
    port: number(port),
    type: number(type),
    code: number(code),
    version: oneOf(['v4', 'v6'], version),
    vpc: text(vpc),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
