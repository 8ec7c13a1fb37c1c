/** Where an OVSDB server is. */
import { readFile } from 'node:fs/promises'
import { connect as connectSocket, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A server, or the members of a cluster, by TLS with certificates of both ends. */
export interface TlsRemote {
  /** Any of them may be asked. */
  hosts: readonly { host: string; port: number }[]
  /** Paths of files in PEM format. They are read for each connection, because they are renewed. */
  privateKey: string
  certificate: string
  /** Of those who have signed the server's certificate. */
  authority: string
}

/** The path of a Unix socket, or a server elsewhere. */
export type Remote = string | TlsRemote

/** How many servers there are to be asked. */
export const memberCount = (remote: Remote): number =>
  typeof remote === 'string' ? 1 : remote.hosts.length

const hostOf = ({ hosts }: TlsRemote, attempt: number) => hosts[attempt % hosts.length]!

const textOf = ({ host, port }: TlsRemote['hosts'][number]): string =>
  `ssl:${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * The name of a remote for messages.
 * @param attempt each one asks another member of a cluster
 */
export const remoteName = (remote: Remote, attempt = 0): string =>
  typeof remote === 'string' ? remote : textOf(hostOf(remote, attempt))

/** The remote in the words of OVN's programs. */
export const remoteText = (remote: Remote): string =>
  typeof remote === 'string' ? `unix:${remote}` : remote.hosts.map(textOf).join(',')

/** The options by which OVN's programs find the remote. */
export const databaseArguments = (remote: Remote): string[] => [
  `--db=${remoteText(remote)}`,
  ...(typeof remote === 'string'
    ? []
    : [
        `--private-key=${remote.privateKey}`,
        `--certificate=${remote.certificate}`,
        `--ca-cert=${remote.authority}`,
      ]),
]

/** Begins a connection. Its event `connected` of the returned name says that it can be used. */
export async function openSocket(
  remote: Remote,
  attempt: number,
): Promise<{ socket: Socket; connected: 'connect' | 'secureConnect' }> {
  if (typeof remote === 'string') return { socket: connectSocket(remote), connected: 'connect' }
  const [key, cert, ca] = await Promise.all(
    [remote.privateKey, remote.certificate, remote.authority].map((file) => readFile(file)),
  )
  const socket = connectTls({
    ...hostOf(remote, attempt),
    key,
    cert,
    ca,
    // Certificates of OVN name no hosts: who has one of its authority is a server.
    checkServerIdentity: () => undefined,
  })
  return { socket, connected: 'secureConnect' }
}
