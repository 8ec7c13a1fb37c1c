import { icmpPort, type Protocol } from './selection.ts'

/** Source port of clients: the first dynamic one. */
export const CLIENT_PORT = 49_152

export const echo = { icmp: { request: 8, reply: 0 }, icmp6: { request: 128, reply: 129 } } as const

/** Content of a packet, in terms of rules. */
export interface Traffic {
  protocol: Protocol
  /** Port, or ICMP type and code. */
  port: number
}

/** Content of the answer to a packet; undefined if there is none. */
export function answerOf({ protocol, port }: Traffic): Traffic | undefined {
  if (protocol === 'tcp' || protocol === 'udp') return { protocol, port: CLIENT_PORT }
  const { request, reply } = echo[protocol]
  return Math.floor(port / 256) === request ? { protocol, port: icmpPort(reply, 0) } : undefined
}
