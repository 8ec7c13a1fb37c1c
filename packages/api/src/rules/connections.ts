/** Faults of connections to other servers, as the ends of sentences about them. */

/** "The certificate of {host} …" */
export const certificateFaults = {
  selfSigned: 'is self-signed',
  expired: 'has expired',
  notYet: 'is not valid yet',
  otherName: 'is for another name',
  unknownIssuer: 'has an issuer that this server does not know, or lacks an intermediate one',
  other: 'is not valid',
} as const

/** "The connection failed: …" */
export const connectionFaults = {
  refused: 'it was refused',
  cut: 'it was cut',
  noWay: 'there is no way to it',
  lookup: 'its address cannot be looked up at present',
  noTls: 'it does not speak TLS',
  late: 'it was not answered in time',
  other: 'it is not possible',
} as const

/** "The proxy of this server {fault}" */
export const proxyFaults = {
  status: (status: number) => `answered with status ${status}`,
  connection: (fault: string) => `cannot be used: ${fault}`,
} as const

/** A host, and the one whose redirects led to it. */
export const hostVia = (host: string, first: string): string =>
  host === first ? host : `${host}, to which ${first} leads,`
