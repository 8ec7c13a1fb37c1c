/** The command that reaches an instance by SSH. */
import type { InstanceEndpoint } from '@steading/api/client'

const SSH_PORT = 22

type SshTarget = {
  /** The user of its image; undefined if that is unknown. */
  user?: string | undefined
  /** Undefined without an address. */
  host?: string | undefined
  /** A port of the host that leads to the instance. */
  port?: number | undefined
}

/** `ssh -p 24022 debian@192.0.2.1`, with placeholders for what is unknown. */
export const sshCommand = ({ user, host, port }: SshTarget): string =>
  `ssh ${port === undefined ? '' : `-p ${port} `}${user ?? '[username]'}@${host ?? '[external IP]'}`

/** The forwarded port that leads to SSH. */
export const sshEndpointOf = (endpoints: readonly InstanceEndpoint[]) =>
  endpoints.find(({ protocol, port }) => protocol === 'tcp' && port === SSH_PORT)

/** Whether only programs on the host itself reach a forwarded port. */
export const isLoopback = ({ hostIp }: Pick<InstanceEndpoint, 'hostIp'>): boolean =>
  hostIp.startsWith('127.')

/**
 * The host of a forwarded port. A host that listens on all of its addresses is best known by that
 * of the page.
 */
export const hostOf = ({ hostIp }: Pick<InstanceEndpoint, 'hostIp'>, ofPage: string): string =>
  hostIp === '0.0.0.0' ? ofPage : hostIp
